// Users and items on two rails; every rating is a line whose colour says what has become of it in this
// sweep.  Where there are few ratings, each has its letter.

import { EDGE } from "./steps.js";
import { letterOf } from "./words.js";
import { fitLayers, layer } from "warplens/graphview.js";
import { RailView } from "warplens/railview.js";

const MOST_LETTERS = 60; // more would cover each other
const NO_LINKS = new Int32Array(0); // the lines of ratings show them
const LETTER = 8; // pixels, half of a letter's box
/** Places of a letter along its line, as parts from the user to the item; the first that is free. */
const PLACES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8];

export class RatingRails extends RailView {
  static TITLE = "Graph";

  constructor(host, meta, arrays, styles) {
    super(host, meta, arrays, styles);
    this.titles = { rows: "users", columns: "items" };
    this.place = arrays["ratings/place"];
    this.lines = layer(host);
    this.above.canvas.before(this.lines.canvas); // vertices lie over the lines
  }

  resize(width, height, ratio) {
    fitLayers([this.lines], width, height, ratio);
    super.resize(width, height, ratio);
  }

  refresh() {
    super.refresh();
    this.drawn = null;
    if (this.theme && this.ratio) this.letters = this.#placeLetters();
  }

  draw(marks, effects, hidden) {
    if (!this.sprites) return;
    this.#drawRatings(marks.ratings);
    super.draw({ ...marks, links: NO_LINKS }, effects, hidden);
    this.#drawLetters(this.above.context, marks.ratings);
  }

  /** Only if a rating is in another state. */
  #drawRatings(ratings) {
    const { context, canvas } = this.lines;
    if (this.drawn && this.drawn.every((state, r) => state === ratings[r])) return;
    this.drawn = ratings.slice();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.lineCap = "round";
    const crowd = Math.min(1, 14 / Math.sqrt(ratings.length + 1));
    const paint = (state, colour, wide, alpha, dash = []) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.globalAlpha = alpha;
      context.setLineDash(dash);
      this.#strokeAll(context, ratings, state);
    };
    const { theme } = this;
    if (crowd > 0.5) {
      paint(EDGE.held, theme.ground, 3, 1); // hides the line of the picture below
      paint(EDGE.held, theme.minor, 1.1, 0.8, [1, 4]);
    }
    paint(EDGE.updated, theme.done, 1 + 1.6 * crowd, 0.35 + 0.5 * crowd);
    paint(EDGE.user, theme.tried, 1.2 + 1.4 * crowd, 0.95, [7, 5]);
    paint(EDGE.item, theme.undone, 1.2 + 1.4 * crowd, 0.95, [7, 5]);
    paint(EDGE.now, theme.accent, 2 + 3 * crowd, 1);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  #strokeAll(context, ratings, state) {
    const { X, Y, u, v, place } = this;
    context.beginPath();
    for (let r = 0; r < ratings.length; ++r) {
      if (ratings[r] !== state) continue;
      context.moveTo(X[u[place[r]]], Y[u[place[r]]]);
      context.lineTo(X[v[place[r]]], Y[v[place[r]]]);
    }
    context.stroke();
  }

  /** Places of the letters: on their lines, and apart from each other and from other lines. */
  #placeLetters() {
    const { X, Y, u, v, place } = this;
    if (place.length > MOST_LETTERS) return [];
    const found = [];
    const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
    place.forEach((e, rating) => {
      const [ax, ay, bx, by] = [X[u[e]], Y[u[e]], X[v[e]], Y[v[e]]];
      const candidates = PLACES.map((part) => ({ rating, x: ax + part * (bx - ax), y: ay + part * (by - ay) }));
      const room = (one) => {
        const toLetters = Math.min(...found.map((other) => distance(one, other)), 60);
        const toLines = Math.min(...this.#lines().filter((line) => line.e !== e).map((line) => awayFrom(line, one)), 30);
        return Math.min(toLetters, 1.4 * toLines + 6);
      };
      found.push(candidates.reduce((best, one) => (room(one) > room(best) + 2 ? one : best)));
    });
    return found;
  }

  #lines() {
    const { X, Y, u, v, place } = this;
    return Array.from(place, (e) => ({ e, ax: X[u[e]], ay: Y[u[e]], bx: X[v[e]], by: Y[v[e]] }));
  }

  #drawLetters(context, ratings) {
    const { theme } = this;
    const colours = { [EDGE.updated]: theme.done, [EDGE.user]: theme.tried, [EDGE.item]: theme.undone };
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `650 12px ${theme.font}`;
    for (const { rating, x, y } of this.letters ?? []) {
      const now = ratings[rating] === EDGE.now;
      context.beginPath();
      context.arc(x, y, LETTER + 1, 0, 2 * Math.PI);
      context.fillStyle = now ? theme.accent : theme.ground;
      context.fill();
      context.lineWidth = 1.2;
      context.strokeStyle = now ? theme.accent : colours[ratings[rating]] ?? theme.line;
      context.stroke();
      context.fillStyle = now ? theme["accent-text"] : colours[ratings[rating]] ?? theme.soft;
      context.fillText(letterOf(rating), x, y + 0.5);
    }
  }

  remove() {
    this.lines.canvas.remove();
    super.remove();
  }
}

/** Pixels from a point to a line between two ends. */
function awayFrom({ ax, ay, bx, by }, { x, y }) {
  const [dx, dy] = [bx - ax, by - ay];
  const part = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}
