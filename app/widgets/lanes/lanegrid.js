// The picture of a warp's lanes.  The canvas is as wide as its frame and stays in place
// while the frame scrolls, so that a warp of many thousand steps needs no larger canvas.

import { element } from "../lib/dom.js";

const LANES = 32;
const ROW = 8; // pixels
const TOP = 24;
const LEFT = 52;
const NARROWEST = 5;
const WIDEST = 40;
/** Keys that move the cell that is read, by columns and lanes. */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [-16, 0], PageDown: [16, 0], Home: [-Infinity, 0], End: [Infinity, 0] };
const within = (number, count) => Math.max(0, Math.min(count - 1, number));

export class LaneGrid {
  /** `cells`: {event, column, lane, kind, iteration}, ascending by event; `turn` is the family's name
   *  of an iteration. With `keys` a cell is read by the keyboard, too; `hover` has to say it. */
  constructor(cells, columns, { choose, hover, turn, keys = false }) {
    this.turn = turn;
    this.cells = cells;
    this.columns = columns;
    this.cursor = -1;
    this.at = new Int32Array(columns * LANES).fill(-1);
    this.first = new Int32Array(columns + 1).fill(cells.event.length);
    for (let i = cells.event.length - 1; i >= 0; --i) {
      this.at[cells.column[i] * LANES + cells.lane[i]] = i;
      this.first[cells.column[i]] = i;
    }
    this.canvas = element("canvas", { role: "img", "aria-label": "lanes by steps" });
    this.spacer = element("div");
    this.root = element("div", { class: "wl-scroll", tabindex: 0 }, this.canvas, this.spacer);
    this.root.addEventListener("scroll", () => this.draw());
    this.canvas.addEventListener("pointermove", (event) => hover(this.#place(event)));
    this.canvas.addEventListener("pointerleave", () => hover(null));
    this.canvas.addEventListener("click", (event) => {
      const place = this.#place(event);
      if (place && place.index >= 0) choose(place.index);
    });
    if (keys) this.#readByKeys(hover, choose);
  }

  #readByKeys(hover, choose) {
    this.root.setAttribute("role", "application");
    this.root.setAttribute("aria-label", "Lanes by steps: arrow keys read a cell, Enter goes to its line");
    this.canvas.setAttribute("aria-hidden", "true");
    this.root.addEventListener("keydown", (event) => {
      const move = MOVES[event.key];
      if (event.key === "Enter" && this.read?.index >= 0) choose(this.read.index);
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const [columns, lanes] = this.read ? move : [0, 0];
      const column = within((this.read?.column ?? 0) + columns, this.columns);
      const lane = within((this.read?.lane ?? 0) + lanes, LANES);
      this.read = { column, lane, index: this.at[column * LANES + lane] };
      this.#reveal(column);
      this.draw();
      hover(this.read);
    });
  }

  #reveal(column) {
    const x = column * this.width;
    const seen = this.root.clientWidth - LEFT;
    const { scrollLeft } = this.root;
    if (x < scrollLeft || x + this.width > scrollLeft + seen) this.root.scrollLeft = x - seen / 2;
  }

  get context() {
    return this.canvas.getContext("2d");
  }

  get ratio() {
    return Math.min(globalThis.devicePixelRatio || 1, 2);
  }

  firstOf(column) {
    return this.first[column];
  }

  #place({ offsetX, offsetY }) {
    const column = Math.floor((offsetX - LEFT + this.root.scrollLeft) / this.width);
    const lane = Math.floor((offsetY - TOP) / ROW);
    if (offsetX < LEFT || column < 0 || column >= this.columns || lane < 0 || lane >= LANES) return null;
    return { column, lane, index: this.at[column * LANES + lane] };
  }

  setTheme(theme) {
    this.theme = theme;
    this.resize();
  }

  resize() {
    const wide = this.root.clientWidth;
    if (!wide || !this.theme) return;
    this.width = Math.max(NARROWEST, Math.min(WIDEST, (wide - LEFT - 4) / this.columns));
    const high = TOP + ROW * LANES + 2;
    this.canvas.width = Math.round(wide * this.ratio);
    this.canvas.height = Math.round(high * this.ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    this.spacer.style.width = `${Math.floor(LEFT + this.columns * this.width)}px`;
    this.draw();
  }

  /** Marks the last event before `time`, and scrolls to it. */
  follow(time) {
    const { event, column } = this.cells;
    let [low, high] = [0, event.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (event[middle] < time) low = middle + 1;
      else high = middle;
    }
    if (this.cursor === low - 1) return;
    this.cursor = low - 1;
    if (this.cursor >= 0 && this.width) this.#reveal(column[this.cursor]);
    this.draw();
  }

  draw() {
    if (!this.width) return;
    const context = this.canvas.getContext("2d");
    const wide = this.canvas.width / this.ratio;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, wide, this.canvas.height);
    context.font = `12px ${this.theme.font}`;
    context.textBaseline = "middle";
    const { scrollLeft } = this.root;
    const from = Math.max(0, Math.floor(scrollLeft / this.width));
    const to = Math.min(this.columns, Math.ceil((scrollLeft + wide - LEFT) / this.width));
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, wide - LEFT, TOP + ROW * LANES + 2);
    context.clip();
    for (let column = from; column < to; ++column) this.#drawColumn(context, column, scrollLeft);
    this.#drawIterations(context, from, to, scrollLeft, wide);
    this.#drawCursor(context, scrollLeft);
    if (this.read) this.#drawFrame(context, this.read, scrollLeft);
    context.restore();
    context.fillStyle = this.theme.soft;
    context.textAlign = "right";
    for (const lane of [0, 8, 16, 24, 31]) context.fillText(lane, LEFT - 8, TOP + ROW * (lane + 0.5));
    context.textAlign = "left";
    context.fillText("lane", 0, TOP + ROW / 2);
  }

  #drawColumn(context, column, scrolled) {
    const x = LEFT + column * this.width - scrolled;
    for (let lane = 0; lane < LANES; ++lane) {
      const index = this.at[column * LANES + lane];
      context.fillStyle = index < 0 ? this.theme.line : this.theme.colours[this.cells.kind[index]] ?? this.theme.soft;
      context.globalAlpha = index < 0 ? 0.7 : 1;
      context.fillRect(x + 0.5, TOP + lane * ROW + 0.5, this.width - 1, ROW - 1);
    }
    context.globalAlpha = 1;
  }

  #drawIterations(context, from, to, scrolled, wide) {
    const { iteration } = this.cells;
    context.textAlign = "left";
    let shown = -1;
    for (let column = from; column < to; ++column) {
      const now = iteration[this.first[column]];
      if (now === shown) continue;
      shown = now;
      const begins = column === 0 || iteration[this.first[column - 1]] !== now;
      const x = Math.max(LEFT, LEFT + column * this.width - scrolled);
      if (begins && column > 0) {
        context.fillStyle = this.theme.soft;
        context.fillRect(x - 0.5, 4, 1, TOP + ROW * LANES - 4);
      }
      let end = column + 1;
      while (end < this.columns && iteration[this.first[end]] === now) ++end;
      const room = Math.min(wide, LEFT + end * this.width - scrolled) - x - 8;
      const text = [`${this.turn} ${now}`, `${now}`].find((t) => context.measureText(t).width <= room);
      context.fillStyle = this.theme.soft;
      if (text) context.fillText(text, x + 4, TOP / 2);
    }
  }

  #drawCursor(context, scrolled) {
    if (this.cursor < 0) return;
    const { column, lane } = this.cells;
    const place = { column: column[this.cursor], lane: lane[this.cursor] };
    context.strokeStyle = this.theme.accent;
    context.lineWidth = 2;
    context.strokeRect(LEFT + place.column * this.width - scrolled, TOP, this.width, ROW * LANES);
    this.#drawFrame(context, place, scrolled);
  }

  #drawFrame(context, { column, lane }, scrolled) {
    context.strokeStyle = this.theme.text;
    context.lineWidth = 2;
    context.strokeRect(LEFT + column * this.width - scrolled, TOP + lane * ROW, this.width, ROW);
  }
}
