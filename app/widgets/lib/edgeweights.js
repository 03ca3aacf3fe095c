// Weights beside edges, each where it covers neither a vertex nor another weight: those of all edges of a
// small graph, and in every graph those of the edges that the last event and the pinned vertex are about.

import { shortNumber } from "./words.js";

const MOST = 40; // edges; more weights cover each other
const BUSY = 8; // effects at once; more cannot be read, and only the last ones have their weights
const LAST = 3;
const TALL = 14; // pixels of a weight
/** Parts of an edge at which its weight may stand, the best place first. */
const PLACES = [0.5, 0.4, 0.6, 0.3, 0.7];

export class EdgeWeights {
  /** Null if the weights are all the same. */
  static of(view) {
    const differ = view.weight?.some((weight) => weight !== view.weight[0]);
    return differ ? new EdgeWeights(view) : null;
  }

  /** `view` knows where vertices are: X, Y, radius, u, v, weight, theme, chain, selectedEdges. */
  constructor(view) {
    this.view = view;
    this.placed = [];
    this.active = [];
  }

  /** Places the weights of a small graph. */
  place(context) {
    const { X, Y, u } = this.view;
    this.placed = [];
    this.known = ""; // vertices have moved
    if (u.length > MOST) return;
    const taken = Array.from(X, (_, vertex) => this.#around(vertex));
    for (let edge = 0; edge < u.length; ++edge) {
      const box = this.#boxes(context, edge, PLACES).find((one) => isFree(one, taken));
      if (!box) continue; // a larger picture has room for it
      taken.push(box);
      this.placed.push(box);
    }
  }

  /** Writes the weights; `effects` as in GraphView.draw. */
  draw(context, effects) {
    this.#placeActive(context, effects);
    const edges = new Set(this.active.map(({ edge }) => edge));
    this.#write(context, this.placed.filter((box) => !edges.has(box.edge) && isFree(box, this.active)));
    this.drawActive(context);
  }

  /** Writes those of active edges once more, above what was drawn since. */
  drawActive(context) {
    this.#write(context, this.active);
  }

  #write(context, boxes) {
    const { theme } = this.view;
    context.font = this.#font();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = theme.ground;
    context.fillStyle = theme.text;
    for (const { text, x, y } of boxes) {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  /** Active edges always have their weight: on them, or beside a short one. */
  #placeActive(context, effects) {
    const { selectedEdges, chain, u, v } = this.view;
    const pairs = (effects.length > BUSY ? effects.slice(-LAST) : effects)
      .map(({ effect: { from, to } }) => [from, to])
      .filter(([from]) => from !== undefined);
    const pinned = selectedEdges.length > MOST ? [] : selectedEdges;
    const key = [...pairs.map(String), chain.length, ...pinned].join(" ");
    if (key === this.known) return;
    this.known = key;
    const edges = new Set(pairs.map(([from, to]) => edgeOf(u, v, from, to)).filter((edge) => edge >= 0));
    for (const edge of pinned) edges.add(edge);
    // A chain has its own numbers in the middle.
    const places = chain.length ? PLACES.slice(1) : PLACES;
    // In a small graph no vertex is covered, in others not the ends.
    const near = this.view.apart ? [...this.view.X.keys()] : [...edges].flatMap((edge) => [u[edge], v[edge]]);
    const vertices = near.map((vertex) => this.#around(vertex));
    this.active = [];
    for (const edge of edges) {
      const boxes = [...this.#boxes(context, edge, places), ...this.#beside(context, edge)];
      this.active.push(boxes.find((one) => isFree(one, [...vertices, ...this.active])) ?? boxes[0]);
    }
  }

  /** Boxes of a weight at these parts of its edge. */
  #boxes(context, edge, places) {
    const { X, Y, u, v } = this.view;
    const [from, to] = [u[edge], v[edge]];
    return places.map((part) =>
      this.#box(context, edge, X[from] + part * (X[to] - X[from]), Y[from] + part * (Y[to] - Y[from])),
    );
  }

  /** Boxes at both sides of an edge that is hidden by its own ends. */
  #beside(context, edge) {
    const { X, Y, u, v, radius } = this.view;
    const [from, to] = [u[edge], v[edge]];
    const [dx, dy] = [X[to] - X[from], Y[to] - Y[from]];
    const off = (radius + TALL) / (Math.hypot(dx, dy) || 1);
    const [x, y] = [(X[from] + X[to]) / 2, (Y[from] + Y[to]) / 2];
    return [1, -1].map((side) => this.#box(context, edge, x + side * off * dy, y - side * off * dx));
  }

  #box(context, edge, x, y) {
    context.font = this.#font();
    const text = shortNumber(this.view.weight[edge]);
    return { text, edge, ...boxAround(x, y, context.measureText(text).width + 4, TALL) };
  }

  #around(vertex) {
    const { X, Y, radius } = this.view;
    return boxAround(X[vertex], Y[vertex], 2 * radius + 2, 2 * radius + 2);
  }

  #font() {
    return `600 11px ${this.view.theme.font}`;
  }
}

function edgeOf(u, v, from, to) {
  for (let e = 0; e < u.length; ++e) {
    if ((u[e] === from && v[e] === to) || (u[e] === to && v[e] === from)) return e;
  }
  return -1;
}

/** Whether a box shares no pixel with others. */
export function isFree(box, taken) {
  return !taken.some((other) => overlap(box, other));
}

function boxAround(x, y, wide, tall) {
  return { x, y, left: x - wide / 2, right: x + wide / 2, top: y - tall / 2, bottom: y + tall / 2 };
}

function overlap(one, other) {
  const across = one.left < other.right && one.right > other.left;
  return across && one.top < other.bottom && one.bottom > other.top;
}
