// Vertices on the screen moved apart, so that none covers another one and few lie on the edges of others.
// The same places always give the same result.

const MOST = { vertices: 150, edges: 600 };
const LEAST = 1.6; // pixels of a radius, also where a picture has no room for it yet
const ROUNDS = 60;
const GAP = 2; // pixels between two vertices
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

export class Apart {
  /** Null for large graphs, whose vertices are dots without labels. */
  static of(view) {
    return view.x.length <= MOST.vertices ? new Apart(view) : null;
  }

  /** `view` knows where vertices are, and `laid`, where the layout puts them and how loose they are. */
  constructor(view) {
    this.view = view;
  }

  /** Moves the vertices on the screen; the ways are found once for each size of the picture. */
  move() {
    const { camera, laid, X, Y } = this.view;
    const { scale, radius } = camera;
    if (this.x !== laid.x || this.scale !== scale) this.#find(laid, scale, radius);
    for (let i = 0; i < X.length; ++i) {
      X[i] += laid.loose * this.dx[i];
      Y[i] += laid.loose * this.dy[i];
    }
  }

  /** The largest radius with which no vertex covers another one, if the picture has room. */
  get radius() {
    return this.most;
  }

  #find({ x, y }, scale, radius) {
    const { camera, u, v } = this.view;
    const [X, Y] = [new Float32Array(x.length), new Float32Array(x.length)];
    camera.project(x, y, X, Y);
    const { ROOM } = this.view.constructor;
    const best = spread(X, Y, u.length <= MOST.edges ? u : [], v, ROOM * radius);
    const free = nearest(best.x, best.y) / 2 / ROOM;
    Object.assign(this, { x, scale, most: Math.min(radius, Math.max(LEAST, free)) });
    this.dx = best.x.map((to, i) => to - X[i]);
    this.dy = best.y.map((to, i) => to - Y[i]);
  }
}

/** Places that are apart: with few vertices on edges of others, if that can be had. */
function spread(X, Y, u, v, radius) {
  const box = boxOf(X, Y, radius);
  const [plain, clear] = [[], u].map((edges) => {
    const [x, y] = [X.slice(), Y.slice()];
    settle(x, y, edges, v, radius, box);
    return { x, y, covered: coveredBy(x, y, u, v, radius) };
  });
  return clear.covered < plain.covered ? clear : plain;
}

/** How many pairs there are of an edge and a vertex that lies on it. */
export function coveredBy(X, Y, u, v, radius) {
  let count = 0;
  eachCovered(X, Y, u, v, radius, () => (count += 1));
  return count;
}

function settle(X, Y, u, v, radius, box) {
  for (let round = 0; round < ROUNDS && u.length; ++round) {
    let still = true;
    eachCovered(X, Y, u, v, radius + GAP, (vertex, dx, dy) => {
      X[vertex] += dx / 2;
      Y[vertex] += dy / 2;
      still = false;
    });
    if (!push(X, Y, radius, box) && still) return;
  }
  for (let round = 0; round < ROUNDS; ++round) if (!push(X, Y, radius, box)) return;
}

/** Moves vertices that cover each other, and keeps all in the box; returns whether some did. */
function push(X, Y, radius, box) {
  let moved = false;
  const least = 2 * radius + GAP;
  for (let i = 0; i < X.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const [dx, dy] = [X[i] - X[j], Y[i] - Y[j]];
      const distance = Math.hypot(dx, dy);
      if (distance >= least - 0.01) continue;
      const same = distance < 1e-3;
      const step = (least - distance) / 2;
      const [nx, ny] = same ? [Math.cos(i * GOLDEN), Math.sin(i * GOLDEN)] : [dx / distance, dy / distance];
      X[i] += nx * step;
      Y[i] += ny * step;
      X[j] -= nx * step;
      Y[j] -= ny * step;
      moved = true;
    }
  }
  for (let i = 0; moved && i < X.length; ++i) {
    X[i] = Math.max(box.left, Math.min(box.right, X[i]));
    Y[i] = Math.max(box.top, Math.min(box.bottom, Y[i]));
  }
  return moved;
}

/** Calls `found(vertex, dx, dy)` for each vertex on an edge of others, with the way off the edge. */
function eachCovered(X, Y, u, v, radius, found) {
  for (let e = 0; e < u.length; ++e) {
    const [a, b] = [u[e], v[e]];
    const [ex, ey] = [X[b] - X[a], Y[b] - Y[a]];
    const square = ex * ex + ey * ey;
    if (!square) continue;
    for (let w = 0; w < X.length; ++w) {
      if (w === a || w === b) continue;
      const part = ((X[w] - X[a]) * ex + (Y[w] - Y[a]) * ey) / square;
      if (part <= 0 || part >= 1) continue;
      const [dx, dy] = [X[w] - X[a] - part * ex, Y[w] - Y[a] - part * ey];
      const distance = Math.hypot(dx, dy);
      if (distance >= radius) continue;
      const length = Math.sqrt(square);
      const [nx, ny] = distance > 1e-3 ? [dx / distance, dy / distance] : [-ey / length, ex / length];
      found(w, nx * (radius - distance), ny * (radius - distance));
    }
  }
}

/** The distance of the two vertices that are next to each other. */
function nearest(X, Y) {
  let least = Infinity;
  for (let i = 0; i < X.length; ++i) {
    for (let j = 0; j < i; ++j) least = Math.min(least, Math.hypot(X[i] - X[j], Y[i] - Y[j]));
  }
  return least;
}

function boxOf(X, Y, room) {
  const [left, right] = [Math.min(...X) - room, Math.max(...X) + room];
  return { left, right, top: Math.min(...Y) - room, bottom: Math.max(...Y) + room };
}
