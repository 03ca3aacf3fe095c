// Weights beside the edges of a small graph, each where it covers neither a vertex nor another weight.

import { shortNumber } from "./words.js";

const MOST = 40; // edges; more weights cover each other
const TALL = 14; // pixels of a weight
/** Parts of an edge at which its weight may stand, the best place first. */
const PLACES = [0.5, 0.4, 0.6, 0.3, 0.7];

export class EdgeWeights {
  /** Null if the weights are too many or all the same. */
  static of(view) {
    const { length } = view.u;
    const differ = view.weight?.some((weight) => weight !== view.weight[0]);
    return length && length <= MOST && differ ? new EdgeWeights(view) : null;
  }

  /** `view` knows where vertices are: X, Y, radius, u, v, weight, theme. */
  constructor(view) {
    this.view = view;
    this.texts = Array.from(view.weight, (weight) => shortNumber(weight));
    this.placed = [];
  }

  place(context) {
    const { X, Y, radius, u, v } = this.view;
    context.font = this.#font();
    const room = radius + 1;
    const taken = Array.from(X, (x, i) => boxAround(x, Y[i], 2 * room, 2 * room));
    this.placed = [];
    this.texts.forEach((text, edge) => {
      const wide = context.measureText(text).width + 4;
      const [from, to] = [u[edge], v[edge]];
      const boxes = PLACES.map((part) =>
        boxAround(X[from] + part * (X[to] - X[from]), Y[from] + part * (Y[to] - Y[from]), wide, TALL),
      );
      const box = boxes.find((one) => !taken.some((other) => overlap(one, other)));
      if (!box) return; // a larger picture has room for it
      taken.push(box);
      this.placed.push({ text, edge, ...box });
    });
  }

  draw(context) {
    const { theme } = this.view;
    context.font = this.#font();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = theme.ground;
    context.fillStyle = theme.text;
    for (const { text, x, y } of this.placed) {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }

  #font() {
    return `600 11px ${this.view.theme.font}`;
  }
}

function boxAround(x, y, wide, tall) {
  return { x, y, left: x - wide / 2, right: x + wide / 2, top: y - tall / 2, bottom: y + tall / 2 };
}

/** Whether two boxes share a pixel. */
export function overlap(one, other) {
  const across = one.left < other.right && one.right > other.left;
  return across && one.top < other.bottom && one.bottom > other.top;
}
