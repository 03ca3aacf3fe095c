// Names beside the vertices: as many as fit, and always those of the last event.

import { isFree } from "./edgeweights.js";

const MOST = 300; // more names than this cannot be read
const HALF = { name: 8, number: 6 }; // of the height, in pixels
/** Where a name may stand, the best place first. */
const SIDES = ["right", "left", "above", "below"];
const CORNERS = ["right above", "right below", "left above", "left below"];
const PLACES = [...SIDES, ...CORNERS];
/** Lines of text between a vertex and the name of the last event that finds no nearer place. */
const FAR = [0, 1, 2, 3];

export class Names {
  /** `view` knows where vertices are: X, Y, radius, u, v, camera, theme, selected, looked, weights; `all`: they
   *  are numbers, and one without room at the right stands elsewhere. */
  constructor(names, view, all = false) {
    this.names = names;
    this.view = view;
    this.all = all;
    this.half = all ? HALF.number : HALF.name;
    this.important = byDegree(names.length, view.u, view.v).slice(0, MOST);
    this.placed = [];
    this.shown = []; // what the last picture has: {v, box}
  }

  /** Chooses names that do not cover each other, those of well connected vertices first. */
  place(context) {
    context.font = this.#font(false);
    this.placed = [];
    for (const v of this.important) {
      const boxes = this.#boxes(context, v, PLACES);
      // A name stands at the right, or elsewhere if the picture would cut it there.
      const whole = boxes.filter((one) => this.#isWhole(one));
      const places = this.all ? whole : [whole[0] ?? boxes[0]];
      const box = places.find((one) => isFree(one, this.placed.map((other) => other.box)));
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
    const bold = this.#placeBold(context, about);
    // A number that covers a part of a weight would make another weight of it.
    const taken = [...bold.map(({ box }) => box), ...(this.view.weights?.active ?? [])];
    const others = this.placed.filter(({ v, box }) => !about.has(v) && isFree(box, taken));
    this.shown = [...others, ...bold];
    for (const one of others) this.#write(context, one);
    context.font = this.#font(true);
    for (const one of bold) this.#write(context, one);
  }

  /** Names of the last event cover neither each other nor a weight; where there is room, none of its vertices. */
  #placeBold(context, about) {
    const { X, Y, radius } = this.view;
    const mine = [...about].filter((v) => v >= 0);
    const vertices = mine.map((v) => {
      return { left: X[v] - radius, right: X[v] + radius, top: Y[v] - radius, bottom: Y[v] + radius };
    });
    const bold = [];
    context.font = this.#font(true);
    for (const v of mine) {
      const boxes = FAR.flatMap((lines) => this.#boxes(context, v, PLACES, lines));
      const texts = [...bold.map(({ box }) => box), ...(this.view.weights?.active ?? [])];
      const readable = boxes.filter((box) => isFree(box, texts));
      const whole = readable.filter((one) => this.#isWhole(one));
      const box = whole.find((one) => isFree(one, vertices)) ?? whole[0] ?? readable[0];
      if (box) bold.push({ v, box });
    }
    context.font = this.#font(false);
    return bold;
  }

  #isWhole({ left, right }) {
    return left >= 0 && right <= this.view.camera.width;
  }

  #font(bold) {
    return `${bold ? 700 : 500} 11.5px ${this.view.theme.font}`;
  }

  #write(context, { v, box: { left, top } }) {
    context.strokeText(this.names[v], left + 2, top + this.half);
    context.fillText(this.names[v], left + 2, top + this.half);
  }

  /** Where a vertex's name may stand, so many lines of text away from it. */
  #boxes(context, v, places, lines = 0) {
    const { X, Y } = this.view;
    const radius = this.view.radius + 2 * this.half * lines;
    const width = context.measureText(this.names[v]).width + 4;
    return places.map((place) => {
      const [after, before, above, below] = SIDES.map((side) => place.includes(side));
      const across = after ? radius + 2 : before ? -radius - 2 - width : -width / 2;
      const down = above ? -radius - this.half : below ? radius + this.half : 0;
      const [left, top] = [X[v] + across, Y[v] + down - this.half];
      return { left, right: left + width, top, bottom: top + 2 * this.half };
    });
  }
}

/** Vertices, those with the most edges first. */
function byDegree(count, u, v) {
  const degree = new Int32Array(count);
  for (const end of u) degree[end] += 1;
  for (const end of v) degree[end] += 1;
  return [...degree.keys()].sort((one, other) => degree[other] - degree[one]);
}
