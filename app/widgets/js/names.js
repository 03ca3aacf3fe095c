// Names beside the vertices: as many as have room, and those that the last event is about.

const MOST = 300; // more names than this cannot be read

export class Names {
  /** `view` knows where vertices are: X, Y, radius, u, v, theme, selected. */
  constructor(names, view) {
    this.names = names;
    this.view = view;
    this.important = byDegree(names.length, view.u, view.v).slice(0, MOST);
    this.placed = [];
  }

  /** Chooses names that do not cover each other, those of well connected vertices first. */
  place(context) {
    context.font = this.#font(false);
    const boxes = [];
    this.placed = this.important.filter((v) => {
      const mine = this.#box(context, v, 1);
      const covered = boxes.some((box) => overlap(mine, box));
      if (!covered) boxes.push(mine);
      return !covered;
    });
  }

  draw(context, effects) {
    const about = new Set(effects.flatMap(({ effect }) => [effect.from, effect.to, effect.at]));
    about.add(this.view.selected);
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = this.view.theme.ground;
    context.fillStyle = this.view.theme.text;
    context.font = this.#font(false);
    for (const v of this.placed) if (!about.has(v)) this.#write(context, v, 1);
    context.font = this.#font(true);
    const boxes = [];
    for (const v of about) {
      if (!(v >= 0)) continue;
      const box = this.#box(context, v, 1);
      const side = boxes.some((other) => overlap(box, other)) ? -1 : 1;
      boxes.push(this.#box(context, v, side));
      this.#write(context, v, side);
    }
  }

  #font(bold) {
    return `${bold ? 700 : 500} 11.5px ${this.view.theme.font}`;
  }

  #write(context, v, side) {
    const { left } = this.#box(context, v, side);
    context.strokeText(this.names[v], left + 2, this.view.Y[v]);
    context.fillText(this.names[v], left + 2, this.view.Y[v]);
  }

  /** Where a vertex's name stands, on its right (1) or left (-1) side. */
  #box(context, v, side) {
    const { X, Y, radius } = this.view;
    const width = context.measureText(this.names[v]).width + 4;
    const left = side > 0 ? X[v] + radius + 2 : X[v] - radius - 2 - width;
    return { left, right: left + width, top: Y[v] - 8, bottom: Y[v] + 8 };
  }
}

function overlap(one, other) {
  const across = one.left < other.right && one.right > other.left;
  return across && one.top < other.bottom && one.bottom > other.top;
}

/** Vertices, those with the most edges first. */
function byDegree(count, u, v) {
  const degree = new Int32Array(count);
  for (const end of u) degree[end] += 1;
  for (const end of v) degree[end] += 1;
  return [...degree.keys()].sort((one, other) => degree[other] - degree[one]);
}
