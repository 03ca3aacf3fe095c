// The schedule as the paper draws it: a row for every thread, a column for every time step, and in each
// cell the rating that the thread updates, or tries in vain.  What is still to come is an empty box.

import { KIND } from "./events.js";
import { TimeCamera } from "./timecamera.js";
import { letterOf } from "./words.js";
import { TWO_LINES } from "warplens/camera.js";
import { canvasWithContext } from "warplens/graphview.js";

const WIDEST = 52; // pixels of a column
const NARROWEST = 15; // so far columns shrink before the picture follows the clock instead
const HIGHEST = 34; // pixels of a row
const HEAD = 38; // pixels above the rows: sweeps and steps
const FOOT = 14; // pixels below them
const LABELS = { words: 74, numbers: 30 }; // pixels left of the columns

export class ScheduleView {
  static TITLE = "Threads and time steps";
  static SIGN = "▤";

  /** `alone`: whether measures and buttons lie over it. */
  constructor(host, _meta, arrays, _styles, alone = true) {
    this.alone = alone;
    this.letters = letterOf(arrays["ratings/place"].length - 1).length;
    this.layer = canvasWithContext();
    this.layer.canvas.className = "wp-layer";
    this.layer.canvas.setAttribute("aria-hidden", "true");
    host.append(this.layer.canvas);
    this.selected = -1;
    this.chain = [];
    this.zooms = true;
    this.note = "A row is a thread, a column a time step; vertical lines are barriers.";
    this.camera = new TimeCamera();
  }

  /** Pixels that so many rows take in full. */
  static heightFor(threads) {
    return HEAD + Math.min(HIGHEST, 20 + 28 / threads) * threads + FOOT;
  }

  resize(width, height, ratio) {
    Object.assign(this, { width, height, ratio });
    this.top = !this.alone ? 2 : width > TWO_LINES ? 46 : 82;
    this.layer.canvas.width = Math.round(width * ratio);
    this.layer.canvas.height = Math.round(height * ratio);
  }

  setTheme(theme) {
    this.theme = theme;
  }

  refresh() {}

  draw(marks) {
    if (!this.theme || !this.ratio) return;
    const { context, canvas } = this.layer;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!marks.steps?.columns) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.steps = marks.steps;
    const now = marks.time ? this.steps.column[marks.time - 1] : 0;
    this.#measure();
    this.bands = this.#inBands(now) ?? [this.#around(now)];
    for (this.band of this.bands) this.#drawBand(context, marks);
  }

  /** What does not depend on the clock. */
  #measure() {
    const { threads } = this.steps;
    this.room = this.height - this.top;
    this.high = Math.max(1.5, Math.min(HIGHEST, (this.room - HEAD - FOOT) / threads));
    this.left = this.high >= 11 && this.width > 420 ? LABELS.words : LABELS.numbers;
    this.across = this.width - this.left - 10;
  }

  /** Sweeps below each other, where at least two of them fit; null where they do not. */
  #inBands(now) {
    const { ranges, threads } = this.steps;
    const longest = ranges.reduce((most, [first, end]) => Math.max(most, end - first), 1);
    const fitting = Math.floor(this.room / (HEAD + FOOT + Math.min(HIGHEST, 22) * threads));
    if (this.camera.zoom > 1 || ranges.length < 2 || fitting < 2 || longest * NARROWEST > this.across) return null;
    const count = Math.min(fitting, ranges.length);
    this.wide = Math.min(WIDEST, this.across / longest);
    this.high = Math.min(HIGHEST, (this.room / count - HEAD - FOOT) / threads);
    const current = ranges.findIndex(([, end]) => now < end);
    const start = Math.max(0, Math.min(ranges.length - count, current - Math.floor(count / 2)));
    const tall = HEAD + FOOT + this.high * threads;
    return ranges.slice(start, start + count).map(([first, end], i) => {
      return { begin: first, first, end, above: this.top + i * tall + HEAD };
    });
  }

  /** The columns around the last event, where not all fit. */
  #around(now) {
    const { columns } = this.steps;
    const fit = Math.max(NARROWEST, Math.min(WIDEST, this.across / columns));
    this.wide = Math.min(Math.max(fit, WIDEST), fit * this.camera.zoom);
    const seen = this.across / this.wide;
    const most = Math.max(0, columns - seen);
    const home = Math.max(0, Math.min(most, now - 0.6 * seen));
    this.camera.limit(-home * this.wide, (most - home) * this.wide);
    const begin = home + this.camera.moved / this.wide;
    const [first, end] = [Math.floor(begin), Math.min(columns, Math.ceil(begin + seen) + 1)];
    return { begin, first, end, above: this.top + HEAD };
  }

  #drawBand(context, marks) {
    const { first, end } = this.band;
    this.#drawThreads(context);
    context.save();
    context.beginPath();
    context.rect(this.left - 1, 0, this.width - this.left, this.height);
    context.clip();
    for (let column = first; column < end; ++column) {
      for (const event of this.steps.of(column)) this.#drawCell(context, marks, event);
    }
    this.#drawClock(context, marks);
    this.#drawHead(context, marks);
    this.#drawBarriers(context);
    context.restore();
  }

  #x(column) {
    return this.left + (column - this.band.begin) * this.wide;
  }

  #y(thread) {
    return this.band.above + thread * this.high;
  }

  #drawThreads(context) {
    const { theme, steps, high } = this;
    context.font = `500 11.5px ${theme.font}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(14 / high));
    for (let thread = 0; thread < steps.threads; ++thread) {
      if (high >= 6) {
        context.fillStyle = theme.raised;
        const end = Math.min(this.width - 6, this.#x(this.band.end));
        context.fillRect(this.left, this.#y(thread) + 1, end - this.left, high - 2);
      }
      if (thread % every) continue;
      context.fillStyle = theme.soft;
      const text = this.left === LABELS.words ? `thread ${thread}` : String(thread);
      context.fillText(text, this.left - 8, this.#y(thread) + high / 2 + 0.5);
    }
  }

  #drawCell(context, marks, event) {
    const { theme, wide, high, steps } = this;
    const [kind, rating] = [marks.events.kind[event], marks.events.c[event]];
    const [x, y] = [this.#x(steps.column[event]), this.#y(steps.thread[event])];
    const gap = Math.min(2.5, 0.08 * Math.min(wide, high));
    const [w, h] = [wide - 2 * gap, high - 2 * gap];
    const past = event < marks.time;
    const now = past && steps.column[event] === steps.column[marks.time - 1];
    const deferred = kind !== KIND.UPDATE;
    const colour = kind === KIND.DEFER_USER ? theme.tried : kind === KIND.DEFER_ITEM ? theme.undone : now ? theme.accent : theme.done;
    context.beginPath();
    if (Math.min(w, h) < 6) context.rect(x + gap, y + gap, w, h);
    else context.roundRect(x + gap, y + gap, w, h, 4);
    if (!past) {
      context.strokeStyle = theme.line;
      context.lineWidth = 1;
      if (high >= 5) context.stroke();
      return;
    }
    context.fillStyle = colour;
    context.globalAlpha = deferred ? 0.2 : 1;
    context.fill();
    context.globalAlpha = 1;
    if (deferred) {
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.setLineDash([4, 3]);
      if (high >= 5) context.stroke();
      context.setLineDash([]);
    }
    const text = letterOf(rating);
    if (high < 11 || wide < 7 * this.letters + 5) return; // the names of all, or none
    context.fillStyle = deferred ? theme.text : theme.ground;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `650 ${Math.min(15, 0.58 * high)}px ${theme.font}`;
    context.fillText(text, x + wide / 2, y + high / 2 + 0.5);
    if (deferred && wide >= 24) this.#strike(context, x + wide / 2, y + high / 2, text.length, colour);
  }

  #strike(context, x, y, letters, colour) {
    const half = 4 * letters + 4;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x - half, y + 5);
    context.lineTo(x + half, y - 5);
    context.stroke();
  }

  /** A frame around the column of the last event. */
  #drawClock(context, { time }) {
    if (!time) return;
    const column = this.steps.column[time - 1];
    if (column < this.band.first || column >= this.band.end) return;
    const x = this.#x(column);
    context.strokeStyle = this.theme.text;
    context.lineWidth = 1.6;
    context.strokeRect(x, this.band.above - 2, this.wide, this.high * this.steps.threads + 4);
  }

  /** Numbers of the steps, and above them sweeps and passes. */
  #drawHead(context, { time }) {
    const { theme, steps, wide } = this;
    const { first, end, above } = this.band;
    const now = time ? steps.column[time - 1] : -1;
    const every = Math.max(1, Math.ceil(24 / wide));
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (let launch = 0; launch < steps.begins.length - 1; ++launch) {
      const [begin, stop] = [steps.begins[launch], steps.begins[launch + 1]];
      if (stop <= first || begin >= end || stop === begin) continue;
      const origin = steps.origin(launch);
      for (let c = Math.max(begin, first); c < Math.min(stop, end); ++c) {
        if ((c - origin) % every && c !== now) continue;
        if (c !== now && now >= 0 && Math.abs(c - now) * wide < 20) continue;
        context.font = `${c === now ? 700 : 500} 11px ${theme.font}`;
        context.fillStyle = c === now ? theme.text : theme.soft;
        context.fillText(String(c - origin + 1), this.#x(c) + wide / 2, above - 10);
      }
      this.#drawTitle(context, launch, begin, stop);
    }
  }

  #drawTitle(context, launch, begin, stop) {
    const { theme, steps } = this;
    const [from, to] = [Math.max(this.#x(begin), this.left), this.#x(stop)];
    const sweep = `sweep ${(steps.sweeps[launch] ?? 0) + 1}`;
    const word = steps.passes[launch]?.name === "block" ? "block" : "pass";
    const pass = `${word} ${steps.pass[launch] + 1}`;
    context.font = `600 11.5px ${theme.font}`;
    // Where both have no room, a sweep's first pass says which sweep it is.
    const texts = steps.several
      ? [`${sweep}, ${pass}`, steps.pass[launch] ? pass : sweep]
      : [sweep, String((steps.sweeps[launch] ?? 0) + 1)];
    const text = texts.find((one) => context.measureText(one).width + 10 <= to - from);
    if (!text) return;
    context.textAlign = "left";
    context.fillStyle = theme.soft;
    context.fillText(text, from + 4, this.band.above - 27);
    context.textAlign = "center";
  }

  /** Lines before columns: barriers, ends of launches longer, those of sweeps longest. */
  #drawBarriers(context) {
    const { theme, steps } = this;
    const { first, end, above } = this.band;
    const below = this.#y(steps.threads) + 4;
    for (const [column, { count, launch, sweep }] of steps.barriers) {
      if (column < first || column > end) continue;
      const x = this.#x(column);
      if (!launch && this.wide < 5) continue;
      context.strokeStyle = theme.text;
      context.globalAlpha = launch ? 1 : 0.75;
      context.lineWidth = launch ? 2.2 : 1.6;
      context.beginPath();
      context.moveTo(x, launch ? above - (sweep ? 34 : 18) : above - 4);
      context.lineTo(x, below);
      context.stroke();
      context.globalAlpha = 1;
      if (count < 2 || launch) continue;
      context.font = `600 10px ${theme.font}`;
      context.fillStyle = theme.soft;
      context.fillText(`×${count}`, x, below + 7);
    }
  }

  /** The user of the rating in a cell. */
  pick(x, y) {
    const { steps, high, wide, left } = this;
    const band = this.bands?.find(({ above }) => y >= above && y < above + high * steps.threads);
    if (!band || x < left) return -1;
    const [thread, column] = [Math.floor((y - band.above) / high), Math.floor(band.begin + (x - left) / wide)];
    if (column < band.first || column >= band.end) return -1;
    const event = steps.of(column).find((one) => steps.thread[one] === thread);
    return event === undefined ? -1 : steps.users[event];
  }

  select(vertex) {
    this.selected = vertex;
  }

  remove() {
    this.layer.canvas.remove();
  }
}
