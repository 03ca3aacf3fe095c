// A graph that was run on several ranks: one panel a rank, with its vertices.  Lines from panel to
// panel are what ranks send to each other.

import { Camera } from "./camera.js";

const GAP = 0.12; // between panels, in units of their height
const INNER = 0.08; // from a panel's frame to its vertices
const EDGES = { across: 52, down: 78 }; // pixels that the camera keeps free

/** The panels, and a class of the picture without them; both derived from `View`. */
export function panelled(View) {
  class Panels extends View {
    constructor(host, meta, arrays, styles) {
      super(host, meta, arrays, styles);
      this.bounds = meta.ranks.bounds;
      this.whole = { x: this.x, y: this.y };
    }

    /** The panels fill the frame: in a high one they lie below each other. */
    resize(width, height, ratio) {
      const across = Math.max(120, width - EDGES.across);
      const shape = Math.round((20 * across) / Math.max(120, height - EDGES.down)) / 20;
      if (shape !== this.shape) this.#arrange(shape);
      super.resize(width, height, ratio);
    }

    #arrange(shape) {
      this.shape = shape;
      this.frames = framesOf(this.bounds.length - 1, shape);
      [this.x, this.y] = placed(this.whole, this.bounds, this.frames);
      this.camera = new Camera(this.x, this.y);
      this.camera.bounds = around(this.frames);
      this.camera.reset();
    }

    refresh() {
      super.refresh();
      if (this.theme && this.ratio) this.#drawFrames();
    }

    #drawFrames() {
      const { context } = this.below;
      const { camera, theme } = this;
      const across = (x) => (x - camera.x) * camera.scale + camera.width / 2;
      const down = (y) => camera.middle - (y - camera.y) * camera.scale;
      context.globalCompositeOperation = "destination-over"; // below the edges
      this.frames.forEach(({ left, right, bottom, top }, rank) => {
        const [x, y] = [across(left), down(top)];
        const [first, end] = [this.bounds[rank], this.bounds[rank + 1]];
        context.font = `600 12px ${theme.font}`;
        context.textAlign = "left";
        context.textBaseline = "top";
        context.fillStyle = theme.text;
        const many = end - first;
        const which = many ? `vertices ${first} to ${end - 1}` : "no vertices";
        context.fillText(`Rank ${rank}`, x + 9, y + 7);
        context.font = `12px ${theme.font}`;
        context.fillStyle = theme.soft;
        const room = across(right) - x;
        if (room > 210) context.fillText(which, x + 58, y + 7);
        context.beginPath();
        context.roundRect(x, y, room, down(bottom) - y, 10);
        context.strokeStyle = theme.line;
        context.lineWidth = 1.5;
        context.stroke();
        context.fillStyle = theme.raised;
        context.fill();
      });
      context.globalCompositeOperation = "source-over";
    }
  }

  class Whole extends View {}
  Whole.TITLE = "The whole graph in one picture";
  Whole.SIGN = "◫";
  return [Panels, Whole];
}

/** The frames of the panels for a picture of this shape, its width by its height; y points up. */
export function framesOf(count, shape) {
  const columns = count === 4 ? 2 : shape < 1 ? 1 : Math.min(count, 3);
  const rows = Math.ceil(count / columns);
  const wide = Math.max(0.3, ((rows + (rows - 1) * GAP) * shape - (columns - 1) * GAP) / columns);
  return Array.from({ length: count }, (_, rank) => {
    const left = (rank % columns) * (wide + GAP);
    const top = -Math.floor(rank / columns) * (1 + GAP);
    return { left, right: left + wide, top, bottom: top - 1 };
  });
}

function around(frames) {
  return {
    left: Math.min(...frames.map(({ left }) => left)),
    right: Math.max(...frames.map(({ right }) => right)),
    bottom: Math.min(...frames.map(({ bottom }) => bottom)),
    top: Math.max(...frames.map(({ top }) => top)),
  };
}

/** The vertices of each rank, spread over its panel; `bounds`: the first vertex of each, and their number. */
function placed({ x, y }, bounds, frames) {
  const [newX, newY] = [x.slice(), y.slice()];
  frames.forEach(({ left, right, bottom, top }, rank) => {
    const [first, end] = [bounds[rank], bounds[rank + 1]];
    spread(newX, first, end, left + INNER, right - INNER);
    spread(newY, first, end, bottom + INNER, top - 2 * INNER); // the title is above
  });
  return [newX, newY];
}

function spread(values, first, end, low, high) {
  let [least, most] = [Infinity, -Infinity];
  for (let v = first; v < end; ++v) {
    least = Math.min(least, values[v]);
    most = Math.max(most, values[v]);
  }
  const span = most - least;
  for (let v = first; v < end; ++v) {
    values[v] = span > 0 ? low + ((values[v] - least) / span) * (high - low) : (low + high) / 2;
  }
}
