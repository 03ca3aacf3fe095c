// The matrix of users by items: a cell for every rating, in the colour of its state, with its letter and
// the step at which this sweep updates it; tiles and diagonals where the schedule has them.

import { EDGE } from "./steps.js";
import { letterOf } from "./words.js";
import { KIND } from "./events.js";
import { MatrixCamera } from "warplens/matrixcamera.js";
import { canvasWithContext } from "warplens/graphview.js";
import { counted } from "warplens/words.js";

const GRID = 9; // pixels of a cell from which on there are lines between cells
const ROOMY = 30; // pixels of a cell with its letter and its step
const NARROW = 15; // pixels of a cell with its letter

export class RatingMatrix {
  static TITLE = "Matrix";
  static SIGN = "▦";

  constructor(host, meta, arrays) {
    this.meta = meta;
    this.rows = meta.rows;
    this.columns = meta.n - meta.rows;
    const [u, v, place] = ["edges/u", "edges/v", "ratings/place"].map((name) => arrays[name]);
    this.users = Int32Array.from(place, (e) => u[e]);
    this.items = Int32Array.from(place, (e) => v[e] - meta.rows);
    this.selected = -1;
    this.chain = [];
    this.zooms = true;
    this.camera = new MatrixCamera(this.rows, this.columns);
    this.layer = canvasWithContext();
    this.layer.canvas.className = "wp-layer";
    this.layer.canvas.setAttribute("aria-hidden", "true");
    host.append(this.layer.canvas);
    this.note = `${counted(this.rows, "user")} × ${counted(this.columns, "item")}; a number is the step in this sweep, and in small cells late updates are stronger.`;
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.layer.canvas.width = Math.round(width * ratio);
    this.layer.canvas.height = Math.round(height * ratio);
    this.camera.resize(width, height);
  }

  setTheme(theme) {
    this.theme = theme;
  }

  refresh() {
    this.camera.refresh();
  }

  draw(marks, effects) {
    if (!this.theme || !this.ratio) return;
    const { context, canvas } = this.layer;
    this.sight = this.camera.sight;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.#clip(context, () => {
      this.#drawStage(context, marks);
      this.#drawGrid(context);
      this.#drawCells(context, marks);
      this.#drawTiles(context);
      this.#drawSelection(context);
    });
    const { box } = this.sight;
    context.strokeStyle = this.theme["vertex-line"];
    context.lineWidth = 1;
    context.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
    for (const { effect, progress, alpha } of effects) this.#drawEffect(context, effect, progress, alpha);
    this.#drawHeads(context);
  }

  #clip(context, paint) {
    const { box } = this.sight;
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
    paint();
    context.restore();
  }

  /** The tiles, or the diagonal, that the step belongs to. */
  #drawStage(context, { events, time }) {
    const { tiles, variant } = this.meta;
    if (!time || (!tiles && variant !== "diag")) return;
    const [high, wide] = tiles ?? [1, 1];
    const stage = (user, item) => Math.floor(user / high) - Math.floor(item / wide);
    const now = stage(events.a[time - 1], events.b[time - 1] - this.rows);
    context.fillStyle = this.theme.accent;
    context.globalAlpha = 0.13;
    for (let user = 0; user < this.rows; user += high) {
      const item = (Math.floor(user / high) - now) * wide;
      if (item < 0 || item >= this.columns) continue;
      const [from, to] = [this.sight.at(user - 0.5, item - 0.5), this.sight.at(user + high - 0.5, item + wide - 0.5)];
      context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    }
    context.globalAlpha = 1;
  }

  #drawGrid(context) {
    if (this.sight.least < GRID) return;
    this.#lines(context, 1, 1, this.theme.line, 0.7);
  }

  #drawTiles(context) {
    const { tiles } = this.meta;
    if (!tiles) return;
    const size = Math.min(tiles[0] * this.sight.cell.height, tiles[1] * this.sight.cell.width);
    if (size >= 4) this.#lines(context, tiles[0], tiles[1], this.theme.text, 1.6);
  }

  /** Lines between every `high` rows and every `wide` columns. */
  #lines(context, high, wide, colour, thick) {
    const { box, first, across, down } = this.sight;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.beginPath();
    for (let i = Math.ceil(first.column / wide) * wide; i <= first.column + across; i += wide) {
      const { x } = this.sight.at(0, i - 0.5);
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
    }
    for (let i = Math.ceil(first.row / high) * high; i <= first.row + down; i += high) {
      const { y } = this.sight.at(i - 0.5, 0);
      context.moveTo(box.left, y);
      context.lineTo(box.left + box.width, y);
    }
    context.stroke();
  }

  #drawCells(context, marks) {
    const { theme, sight, users, items } = this;
    const { ratings } = marks;
    const colours = { [EDGE.now]: theme.accent, [EDGE.updated]: theme.done, [EDGE.user]: theme.tried, [EDGE.item]: theme.undone };
    const [wide, high] = [Math.max(1.6, 0.86 * sight.cell.width), Math.max(1.6, 0.86 * sight.cell.height)];
    const steps = this.#stepsOf(marks);
    const last = Math.max(1, marks.steps.at(marks.time).step);
    const named = sight.least >= NARROW;
    for (let r = 0; r < ratings.length; ++r) {
      const { x, y } = sight.at(users[r], items[r]);
      if (!sight.hasX(x) || !sight.hasY(y)) continue;
      const state = ratings[r];
      const waits = state === EDGE.user || state === EDGE.item;
      context.fillStyle = colours[state] ?? (state === EDGE.held ? theme.raised : theme.edge);
      // Where there is no room for the step, late updates are stronger.
      const strength = named || state !== EDGE.updated ? 1 : 0.35 + (0.65 * (steps.get(r) ?? 0)) / last;
      context.globalAlpha = state === EDGE.open ? 0.35 : waits ? 0.28 : strength;
      if (sight.least < GRID) context.fillRect(x - wide / 2, y - high / 2, wide, high);
      else {
        this.#box(context, x, y, wide, high);
        context.fill();
      }
      context.globalAlpha = 1;
      if (sight.least >= GRID && (waits || state === EDGE.held)) {
        context.strokeStyle = colours[state] ?? theme.minor;
        context.lineWidth = 1.6;
        context.setLineDash([4, 3]);
        context.stroke();
        context.setLineDash([]);
      }
      if (named) this.#write(context, r, state, steps.get(r), x, y);
    }
  }

  #stepsOf(marks) {
    if (this.known?.time !== marks.time) this.known = { time: marks.time, steps: stepsOfSweep(marks) };
    return this.known.steps;
  }

  #box(context, x, y, wide, high) {
    context.beginPath();
    if (Math.min(wide, high) < 5) context.rect(x - wide / 2, y - high / 2, wide, high);
    else context.roundRect(x - wide / 2, y - high / 2, wide, high, 0.18 * Math.min(wide, high));
  }

  #write(context, rating, state, step, x, y) {
    const { theme, sight } = this;
    const full = state === EDGE.now || state === EDGE.updated;
    const roomy = sight.least >= ROOMY;
    const size = Math.max(9, Math.min(16, 0.36 * sight.least));
    context.fillStyle = full ? theme.ground : theme.text;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `650 ${size}px ${theme.font}`;
    context.fillText(letterOf(rating), x, y + (roomy && step !== undefined ? -0.32 * size : 0.5));
    if (!roomy || step === undefined) return;
    context.font = `500 ${Math.max(9, 0.72 * size)}px ${theme.font}`;
    context.fillText(String(step + 1), x, y + 0.72 * size);
  }

  #drawSelection(context) {
    if (this.selected < 0) return;
    const { sight, theme } = this;
    const { box, cell } = sight;
    context.fillStyle = theme.accent;
    context.globalAlpha = 0.16;
    if (this.selected < this.rows) context.fillRect(box.left, sight.at(this.selected - 0.5, 0).y, box.width, cell.height);
    else context.fillRect(sight.at(0, this.selected - this.rows - 0.5).x, box.top, cell.width, box.height);
    context.globalAlpha = 1;
  }

  /** A frame that closes in on the cell; broken where the rating is deferred. */
  #drawEffect(context, { type, from, to, colour, begin, end }, progress, alpha) {
    if (from === undefined || progress < begin) return;
    const { sight, theme } = this;
    const { x, y } = sight.at(Math.min(from, to), Math.max(from, to) - this.rows);
    if (!sight.hasX(x) || !sight.hasY(y)) return;
    const part = Math.min(1, (progress - begin) / (end - begin));
    const more = 3 + 14 * (1 - part);
    context.globalAlpha = alpha;
    context.strokeStyle = theme[colour];
    context.lineWidth = 2.4;
    context.setLineDash(type === "bounce" ? [4, 4] : []);
    this.#box(context, x, y, Math.max(4, sight.cell.width) + more, Math.max(4, sight.cell.height) + more);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** Titles, and numbers of users and items where there is room. */
  #drawHeads(context) {
    const { sight, theme, meta } = this;
    const { box, cell, first, down, across } = sight;
    context.fillStyle = theme.soft;
    context.textBaseline = "middle";
    context.font = `600 12px ${theme.font}`;
    context.textAlign = "left";
    context.fillText("items", box.left + 2, box.top - 27);
    context.textAlign = "right";
    context.fillText("users", box.left - 6, box.top - 27);
    context.font = `500 11.5px ${theme.font}`;
    const [one, other] = meta.sides ?? ["u", "m"];
    const every = (size, need) => Math.max(1, Math.ceil(need / size));
    const last = (start, shown, count) => Math.min(count - 1, Math.floor(start + shown));
    for (let u = Math.ceil(first.row); u <= last(first.row, down, this.rows); u += every(cell.height, 15)) {
      context.textAlign = "right";
      context.fillText(`${one}${u}`, box.left - 6, sight.at(u, 0).y);
    }
    for (let m = Math.ceil(first.column); m <= last(first.column, across, this.columns); m += every(cell.width, 8 * String(this.columns).length + 20)) {
      context.textAlign = "center";
      context.fillText(`${other}${m}`, sight.at(0, m).x, box.top - 11);
    }
  }

  /** The user of a cell, or the user or item beside the matrix; -1 where there is nothing. */
  pick(x, y) {
    if (!this.sight) return -1;
    const { sight, rows, columns } = this;
    const { row, column } = sight.under(x, y);
    const inRows = sight.hasY(y) && row >= 0 && row < rows;
    const inColumns = sight.hasX(x) && column >= 0 && column < columns;
    const near = (distance) => distance < 0 && distance > -30;
    if (inRows && near(x - sight.box.left)) return row;
    if (inColumns && near(y - sight.box.top)) return rows + column;
    if (!inRows || !inColumns) return -1;
    return this.users.some((user, r) => user === row && this.items[r] === column) ? row : -1;
  }

  select(vertex) {
    this.selected = vertex;
  }

  remove() {
    this.layer.canvas.remove();
  }
}

/** The step of the sweep at which each rating that is done has been updated, by rating. */
function stepsOfSweep({ steps, events, time }) {
  const found = new Map();
  if (!time) return found;
  const { sweep } = steps.at(time);
  const first = steps.origin(events.iteration[time - 1]);
  for (let i = time - 1; i >= 0 && steps.sweeps[events.iteration[i]] === sweep; --i) {
    if (events.kind[i] === KIND.UPDATE) found.set(events.c[i], steps.column[i] - first);
  }
  return found;
}
