// Names beside the vertices: as many as fit, and always those of the last event.

import { overlap } from "./edgeweights.js";

const MOST = 300; // more names than this cannot be read
const HALF = { name: 8, number: 6 }; // of the height, in pixels
/** Where a name may stand, the best place first. */
const SIDES = ["right", "left", "above", "below"];
const CORNERS = ["right above", "right below", "left above", "left below"];

export class Names {
  /** `view` knows where vertices are: X, Y, radius, u, v, theme, selected, looked, weights; `all`: they are
   *  numbers, and one without room at the right stands elsewhere. */
  constructor(names, view, all = false) {
    this.names = names;
    this.view = view;
    this.places = all ? [...SIDES, ...CORNERS] : SIDES.slice(0, 1);
    this.half = all ? HALF.number : HALF.name;
    this.important = byDegree(names.length, view.u, view.v).slice(0, MOST);
    this.placed = [];
  }

  /** Chooses names that do not cover each other, those of well connected vertices first. */
  place(context) {
    context.font = this.#font(false);
    this.placed = [];
    for (const v of this.important) {
      const boxes = this.places.map((side) => this.#box(context, v, side));
      const box = boxes.find((one) => !this.placed.some(({ box: other }) => overlap(one, other)));
      if (box) this.placed.push({ v, box });
    }
  }

  draw(context, effects) {
    const about = new Set(effects.flatMap(({ effect }) => [effect.from, effect.to, effect.at]));
    for (const v of [this.view.selected, ...(this.view.looked ?? [])]) about.add(v);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = this.view.theme.ground;
    context.fillStyle = this.view.theme.text;
    context.font = this.#font(false);
    const bold = this.#placeBold(context, about);
    // A number that covers a part of a weight would make another weight of it.
    const taken = [...bold.map(({ box }) => box), ...(this.view.weights?.active ?? [])];
    const free = (box) => !taken.some((other) => overlap(box, other));
    for (const { v, box } of this.placed) if (!about.has(v) && free(box)) this.#write(context, v, box);
    context.font = this.#font(true);
    for (const { v, box } of bold) this.#write(context, v, box);
  }

  /** Names of the last event are placed so that they cover neither each other nor its vertices. */
  #placeBold(context, about) {
    const { X, Y, radius } = this.view;
    const mine = [...about].filter((v) => v >= 0);
    const vertices = mine.map((v) => {
      return { left: X[v] - radius, right: X[v] + radius, top: Y[v] - radius, bottom: Y[v] + radius };
    });
    const bold = [];
    context.font = this.#font(true);
    for (const v of mine) {
      const boxes = SIDES.map((side) => this.#box(context, v, side));
      const taken = [...bold.map(({ box }) => box), ...vertices, ...(this.view.weights?.active ?? [])];
      const box = boxes.find((one) => !taken.some((other) => overlap(one, other))) ?? boxes[0];
      bold.push({ v, box });
    }
    context.font = this.#font(false);
    return bold;
  }

  #font(bold) {
    return `${bold ? 700 : 500} 11.5px ${this.view.theme.font}`;
  }

  #write(context, v, { left, top }) {
    context.strokeText(this.names[v], left + 2, top + this.half);
    context.fillText(this.names[v], left + 2, top + this.half);
  }

  /** Where a vertex's name stands. */
  #box(context, v, side) {
    const { X, Y, radius } = this.view;
    const width = context.measureText(this.names[v]).width + 4;
    const [after, before, above, below] = SIDES.map((one) => side.includes(one));
    const across = after ? radius + 2 : before ? -radius - 2 - width : -width / 2;
    const down = above ? -radius - this.half : below ? radius + this.half : 0;
    const [left, top] = [X[v] + across, Y[v] + down - this.half];
    return { left, right: left + width, top, bottom: top + 2 * this.half };
  }
}

/** Vertices, those with the most edges first. */
function byDegree(count, u, v) {
  const degree = new Int32Array(count);
  for (const end of u) degree[end] += 1;
  for (const end of v) degree[end] += 1;
  return [...degree.keys()].sort((one, other) => degree[other] - degree[one]);
}
