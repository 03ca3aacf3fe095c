// A graph that is being drawn: places of vertices, weighted edges, what is chosen, and undo.

export const WIDE = 320;
export const TALL = 240;
export const RADIUS = 11;
const NEAR = 6; // pixels around an edge that belong to it

export class Sketch {
  constructor(mostVertices, mostEdges) {
    this.most = { vertices: mostVertices, edges: mostEdges };
    this.points = [];
    this.edges = []; // {u, v, weight}
    this.vertex = -1; // the chosen ones
    this.edge = -1;
    this.before = []; // for undo
  }

  /** The vertex at a place, or -1. */
  vertexAt({ x, y }) {
    return this.points.findIndex((one) => Math.hypot(one.x - x, one.y - y) <= 1.5 * RADIUS);
  }

  /** The edge at a place, or -1. */
  edgeAt(place) {
    return this.edges.findIndex(({ u, v }) => away(place, this.points[u], this.points[v]) <= NEAR);
  }

  choose(vertex, edge = -1) {
    this.vertex = vertex;
    this.edge = edge;
  }

  /** Puts a vertex where none is; returns it, or -1 if there are enough. */
  put({ x, y }) {
    if (this.points.length >= this.most.vertices) return -1;
    this.#keep();
    const within = (value, size) => Math.round(Math.max(RADIUS + 1, Math.min(size - RADIUS - 1, value)));
    this.points = [...this.points, { x: within(x, WIDE), y: within(y, TALL) }];
    this.choose(this.points.length - 1);
    return this.vertex;
  }

  /** Joins two vertices and chooses their edge; returns it, or -1 if there are enough. */
  join(u, v) {
    const known = this.edges.findIndex((one) => (one.u === u && one.v === v) || (one.u === v && one.v === u));
    if (known < 0 && this.edges.length >= this.most.edges) return -1;
    if (known < 0) {
      this.#keep();
      this.edges = [...this.edges, { u, v, weight: 1 }];
    }
    this.choose(-1, known < 0 ? this.edges.length - 1 : known);
    return this.edge;
  }

  /** Sets the weight of the chosen edge; `again`: it was set just before, by the digit before. */
  weigh(weight, again) {
    if (!again) this.#keep();
    this.edges = this.edges.map((one, edge) => (edge === this.edge ? { ...one, weight } : one));
  }

  /** Deletes what is chosen; vertices behind a deleted one get the number before theirs. */
  remove() {
    const { vertex, edge } = this;
    if (vertex < 0 && edge < 0) return;
    this.#keep();
    if (vertex >= 0) {
      const number = (one) => one - (one > vertex);
      this.points = this.points.filter((_, one) => one !== vertex);
      this.edges = this.edges
        .filter(({ u, v }) => u !== vertex && v !== vertex)
        .map(({ u, v, weight }) => ({ u: number(u), v: number(v), weight }));
    } else this.edges = this.edges.filter((_, one) => one !== edge);
    this.choose(-1);
  }

  clear() {
    this.#keep();
    [this.points, this.edges] = [[], []];
    this.choose(-1);
  }

  undo() {
    const last = this.before.pop();
    if (last) Object.assign(this, last);
    this.choose(-1);
  }

  /** The graph as a Matrix Market file; a symmetric one lists the larger end first. */
  get text() {
    const { length } = this.points;
    const line = ({ u, v, weight }) => `${Math.max(u, v) + 1} ${Math.min(u, v) + 1} ${weight}`;
    const size = `${length} ${length} ${this.edges.length}`;
    return ["%%MatrixMarket matrix coordinate real symmetric", size, ...this.edges.map(line), ""].join("\n");
  }

  /** The places of all vertices, the y-axis up. */
  get places() {
    return Float32Array.from(this.points.flatMap(({ x, y }) => [x, -y]));
  }

  #keep() {
    this.before.push({ points: this.points, edges: this.edges });
  }
}

/** The distance of a place from the line between two others. */
function away({ x, y }, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy);
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}
