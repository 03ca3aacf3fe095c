// The bar to scrub along: a slider over a picture of all events, stacked by kind.

import { bandFill, bandSign } from "../lib/bandfill.js";
import { element } from "../lib/dom.js";

const HEIGHT = 34;
const MAX_STOPS = 80; // more marks of iterations cannot be distinguished
const PHASE_ROOM = 34; // pixels that the number of an iteration needs

export class Scrubber {
  /** `bands`: [{kinds, colour}]; `moved(time)` is called when the user drags; `turn` is the family's
   *  name of an iteration. */
  constructor(length, kinds, stops, bands, moved, turn) {
    this.turn = turn;
    this.length = length;
    this.kinds = kinds;
    this.stops = stops;
    this.bands = bands;
    this.canvas = element("canvas", { class: "wp-bands", "aria-hidden": "true" });
    this.input = element("input", {
      type: "range",
      class: "wp-slider",
      min: 0,
      max: Math.max(length, 1),
      step: 1,
      value: 0,
      "aria-label": "event",
      oninput: () => moved(Number(this.input.value)),
    });
    this.past = element("div", { class: "wp-future", "aria-hidden": "true" });
    this.looped = element("div", { class: "wp-looped", "aria-hidden": "true", hidden: true });
    const bar = element("div", { class: "wp-scrub" }, this.canvas, this.past, this.looped, this.input);
    this.phases = element("div", { class: "wp-phases", role: "group", "aria-label": "parts of the run" });
    this.moved = moved;
    this.root = element("div", {}, bar, this.phases);
    this.key = this.#key();
  }

  /** What the colours and patterns of the bar mean, of the bands that have events. */
  #key() {
    const present = new Set(this.kinds);
    const shown = this.bands.filter(({ kinds }) => kinds.some((kind) => present.has(kind)));
    const entry = ({ colour, text }) => element("li", {}, bandSign(colour), text);
    return element("ul", { class: "wp-key", "aria-label": "events of the bar" }, ...shown.map(entry));
  }

  /** Shows the part that is looped; null for none. */
  showLoop(loop) {
    this.looped.hidden = !loop;
    if (!loop) return;
    this.looped.style.left = `${(100 * loop.from) / this.length}%`;
    this.looped.style.width = `${(100 * (loop.to - loop.from)) / this.length}%`;
  }

  /** A numbered button at the beginning of each iteration, as far as there is room; none for one. */
  #placePhases() {
    if (this.stops.length < 2) return;
    let free = 0;
    const buttons = [];
    this.stops.forEach((stop, number) => {
      const x = (stop / this.length) * this.width;
      if (x < free || x > this.width - PHASE_ROOM) return;
      const text = number ? String(number) : `${this.turn} 0`;
      free = x + (number ? PHASE_ROOM : 2.4 * PHASE_ROOM);
      const label = `to the beginning of ${this.turn} ${number}`;
      const attributes = { type: "button", "aria-label": label, title: label };
      const button = element("button", { ...attributes, onclick: () => this.moved(stop) }, text);
      button.style.left = `${x}px`;
      buttons.push(button);
    });
    this.phases.replaceChildren(...buttons);
  }

  resize(width, ratio) {
    this.width = width;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    if (this.length) this.#placePhases();
    this.draw();
  }

  setTheme(theme) {
    this.theme = theme;
    this.draw();
  }

  show(time, text) {
    this.input.value = time;
    this.input.setAttribute("aria-valuetext", text);
    // Moved, not resized: nothing has to be laid out again.
    this.past.style.transform = `translateX(${(100 * time) / Math.max(this.length, 1)}%)`;
  }

  draw() {
    if (!this.theme || !this.width || !this.length) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, HEIGHT);
    const bars = Math.max(1, Math.min(this.length, Math.floor(this.width / 3)));
    const counts = this.#count(bars);
    const wide = this.width / bars;
    const fullest = Math.ceil(this.length / bars);
    const fills = this.bands.map(({ colour }) => bandFill(context, this.theme, colour, this.ratio));
    for (let bar = 0; bar < bars; ++bar) {
      let bottom = HEIGHT;
      this.bands.forEach((_, i) => {
        const tall = (counts[i][bar] / fullest) * (HEIGHT - 6);
        context.fillStyle = fills[i];
        context.fillRect(bar * wide, bottom - tall, Math.max(wide - (wide > 4 ? 1 : 0), 1), tall);
        bottom -= tall;
      });
    }
    if (this.stops.length > MAX_STOPS) return;
    context.fillStyle = this.theme.text;
    for (const stop of this.stops.slice(1)) {
      context.fillRect((stop / this.length) * this.width - 0.5, 0, 1, HEIGHT);
    }
  }

  /** Events of each band in each bar. */
  #count(bars) {
    const bandOf = new Int8Array(256).fill(this.bands.length - 1);
    this.bands.forEach((band, i) => band.kinds.forEach((kind) => (bandOf[kind] = i)));
    const counts = this.bands.map(() => new Uint32Array(bars));
    for (let i = 0; i < this.length; ++i) {
      counts[bandOf[this.kinds[i]]][Math.floor((i * bars) / this.length)] += 1;
    }
    return counts;
  }
}
