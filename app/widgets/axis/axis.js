// The axis of warps under the picture: a row a warp, the run's clock from left to right. Its cursor is
// the player's; a click shows the 32 lanes of a warp at that time.

import { AxisCamera } from "./camera.js";
import { AxisCanvas, RULER } from "./canvas.js";
import { Folds } from "./folds.js";
import { Rows } from "./rows.js";
import { LaneSteps } from "./lanesteps.js";
import { tableOf } from "./table.js";
import { vectorsOf } from "./vectors.js";
import { axisKey, HELP, KEYS, pointed, scaleSwitch, zoomButtons } from "./parts.js";
import { element, setText } from "../lib/dom.js";
import { decodeMessage } from "../lib/wire.js";
import { caption, duration, grouped } from "../lib/words.js";

const FAR = 4; // pixels that a pointer moves before a click is a drag
let made = 0;

export class WarpAxis {
  /** `seek(time)` moves the replay; `sentence(event)` says what an event is about. */
  constructor({ meta, arrays, events, clock }, { seek, sentence }) {
    const { axis } = meta;
    Object.assign(this, { axis, unit: clock ? meta.unit : "", seek, events });
    this.rows = new Rows(axis, arrays, events, clock);
    this.folds = new Folds(this.rows, this.unit);
    this.camera = new AxisCamera(this.folds.span || 1, axis.warps);
    this.canvas = new AxisCanvas(this.rows, this.folds, axis, this.camera, (time) => this.timeText(time));
    this.count = 0; // events that have happened
    this.chosen = -1;
    this.lanes = new LaneSteps(this.rows, meta, events, { seek, sentence, close: () => this.#close() });
    this.#build();
    this.#listen();
  }

  #build() {
    const { axis } = this;
    const number = ++made;
    const id = `wx-about-${number}`;
    this.read = element("span", { class: "wx-read" });
    this.frame = element(
      "div",
      { class: "wx-frame", tabindex: 0, role: "group", "aria-label": `${axis.noun}s over time`, "aria-describedby": id },
      ...this.canvas.layers,
    );
    this.zooms = zoomButtons(this);
    this.name = `${axis.noun === "warp" ? "Warps" : "Threads"} over time`;
    this.title = element("b", {}, this.name);
    const facts = axis.facts.map((fact) => element("li", {}, fact));
    this.folded = element("li", {});
    this.#sayFolded();
    this.onFold = (folded) => {
      for (const one of [this, this.other]) one?.fold(folded);
      this.#oneScale();
    };
    this.root = element(
      "div",
      { class: "wx" },
      element("div", { class: "wx-head" }, this.title, this.read, ...(this.folds.gaps.length ? [scaleSwitch(this)] : []), this.zooms),
      this.frame,
      this.lanes.root,
    );
    /** What it shows, and the numbers beside it. */
    this.words = [
      axisKey(this.rows),
      element("ul", { class: "wx-facts", id }, ...facts, ...(this.folds.gaps.length ? [this.folded] : []), element("li", { class: "wp-unseen" }, HELP)),
    ];
  }

  /** Pixels that the rows and the ruler take. */
  get high() {
    return this.canvas.high + RULER;
  }

  /** A time as text. */
  timeText(time) {
    return this.unit ? duration(time, this.unit) : `event ${grouped(time)}`;
  }

  /** Shows what a stop of a story wants looked at: the lanes of a warp, the axis of another run, or the
   *  time between two steps. */
  look({ lanes = -1, beside = null, time = null }) {
    if (lanes !== this.chosen) this.choose(lanes);
    this.other?.root.remove();
    this.other = beside ? this.#beside(beside) : null;
    // What the stop is about is below the picture, which makes room for it.
    const player = this.root.closest(".wp");
    player?.classList.toggle("wp-low", lanes >= 0 || beside !== null);
    player?.classList.toggle("wp-two-axes", beside !== null);
    setText(this.title, beside ? `This run: ${this.timeText(this.rows.span)}` : this.name);
    this.#oneScale();
    if (!time) return;
    this.camera.showTime(...time.map((step) => this.#placeOf(step)));
    this.#redraw();
  }

  /** The axis of another run below this one, on one scale. */
  #beside({ title, message }) {
    const { meta, arrays } = decodeMessage(Uint8Array.from(atob(message), (letter) => letter.charCodeAt(0)));
    const events = Object.fromEntries(
      Object.entries(arrays).filter(([name]) => name.startsWith("events/")).map(([name, values]) => [name.slice(7), values]),
    );
    const seek = (time) => other.show(time);
    const sentence = (event) => caption(meta, events, event);
    const other = new WarpAxis({ meta, arrays, events, clock: arrays["series/time"] }, { seek, sentence });
    setText(other.title, `${title}: ${other.timeText(other.rows.span)}`);
    other.root.append(...other.words);
    this.frame.after(other.root);
    other.setTheme(this.theme);
    other.onFold = this.onFold;
    other.resize(this.ratio);
    other.show(other.rows.count);
    return other;
  }

  /** This axis and the one below it end at the same place. */
  #oneScale() {
    const span = Math.max(this.folds.span, this.other?.folds.span ?? 0) || 1;
    for (const one of [this, this.other]) one?.setSpan(span);
  }

  /** The numbers behind it, as comma-separated values. */
  table() {
    return tableOf(this.rows, this.axis.noun, this.unit);
  }

  /** What it shows, as SVG. */
  vectors(title) {
    return vectorsOf({ ...this, timeText: (time) => this.timeText(time) }, title);
  }

  /** Folds the gaps between launches, or draws them to scale. */
  fold(folded) {
    if (!this.folds.gaps.length) return;
    this.folds.fold(folded);
    if (this.scale) this.scale.checked = !folded;
    this.#sayFolded();
    this.setSpan(this.folds.span);
  }

  #sayFolded() {
    setText(this.folded, this.folds.sentence((time) => this.timeText(time)));
  }

  /** The axis ends at a place; runs that are compared have one scale. */
  setSpan(span) {
    this.camera.span = span;
    this.whole();
  }

  setTheme(theme) {
    this.theme = theme;
    this.canvas.setTheme(theme);
    this.other?.setTheme(theme);
  }

  resize(ratio) {
    const scale = Number(getComputedStyle(this.frame).getPropertyValue("--wp-scale")) || 1;
    this.ratio = ratio;
    this.canvas.resize(this.frame.clientWidth, ratio, scale);
    this.#cursor();
    this.other?.resize(ratio);
  }

  /** So many events have happened. */
  show(count, playing) {
    this.count = count;
    if (count && !this.camera.whole) {
      const before = this.camera.from + this.camera.first;
      if (playing) this.camera.follow(this.#placeOf(count), this.rows.warp[count - 1]);
      if (before !== this.camera.from + this.camera.first) this.canvas.draw();
    }
    this.#cursor();
    this.lanes.show(this.chosen, count);
  }

  /** The place of the last of so many events. */
  #placeOf(count) {
    return count ? this.folds.places[count - 1] : 0;
  }

  #cursor() {
    this.canvas.moveCursor(this.#placeOf(this.count), this.count ? this.rows.warp[this.count - 1] : -1);
  }

  zoom(factor, part = this.#cursorPart()) {
    this.camera.zoomAt(factor, part);
    this.#redraw();
  }

  /** Where the cursor is, if it can be seen; else the middle. */
  #cursorPart() {
    const part = this.camera.partAt(this.#placeOf(this.count));
    return part >= 0 && part <= 1 ? part : 0.5;
  }

  pan(parts) {
    this.camera.pan(parts);
    this.#redraw();
  }

  whole() {
    this.camera.reset();
    this.#redraw();
  }

  /** Shows half as many warps around the chosen or current one, or twice as many. */
  zoomWarps(factor) {
    const { first, last } = this.camera;
    const around = this.chosen >= 0 ? this.chosen : this.count ? this.rows.warp[this.count - 1] : (first + last) / 2;
    this.camera.showWarps(around, (last - first) / factor);
    this.#redraw();
  }

  #redraw() {
    this.canvas.draw();
    this.#cursor();
  }

  /** Shows the lanes of a warp; -1 for none. */
  choose(warp) {
    this.chosen = this.canvas.chosen = warp;
    if (warp >= 0) this.camera.follow(this.camera.timeAt(0.5), warp);
    this.#redraw();
    this.lanes.show(warp, this.count);
  }

  #close() {
    this.choose(-1);
    this.frame.focus({ preventScroll: true });
  }

  chooseCurrent() {
    this.choose(this.count ? this.rows.warp[this.count - 1] : this.rows.warp[0]);
  }

  stepWarp(by) {
    if (this.chosen < 0) this.chooseCurrent();
    else this.choose(Math.max(0, Math.min(this.axis.warps - 1, this.chosen + by)));
  }

  /** Goes to a warp and time: to its last event until then, or to its first one. */
  #go({ time, warps: [first, last] }) {
    const count = this.rows.eventsUntil(time);
    let [warp, event] = [first, -1];
    for (let one = first; one < last; ++one) {
      const found = this.rows.lastOf(one, count);
      if (found > event) [warp, event] = [one, found];
    }
    if (event < 0) event = this.rows.eventsOf(warp)[0] ?? -1;
    this.choose(warp);
    if (event >= 0) this.seek(event + 1);
  }

  #listen() {
    const { frame } = this;
    const place = (event) => this.canvas.place(event);
    let grip = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      grip = { x: event.clientX, far: false, ruler: place(event).ruler };
      frame.setPointerCapture(event.pointerId);
      if (grip.ruler) this.seek(this.rows.eventsUntil(place(event).time));
    });
    frame.addEventListener("pointermove", (event) => {
      if (!grip) return setText(this.read, pointed(this, place(event)));
      const moved = event.clientX - grip.x;
      if (grip.ruler) return this.seek(this.rows.eventsUntil(place(event).time));
      if (!grip.far && Math.abs(moved) < FAR) return undefined;
      this.pan(-moved / this.canvas.width);
      grip = { ...grip, x: event.clientX, far: true };
      return undefined;
    });
    frame.addEventListener("pointerup", (event) => {
      if (grip && !grip.far && !grip.ruler) this.#go(place(event));
      grip = null;
    });
    frame.addEventListener("pointercancel", () => (grip = null));
    frame.addEventListener("pointerleave", () => setText(this.read, ""));
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    frame.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== frame) return;
      act(this);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** The wheel zooms with Ctrl, or where the axis has the focus; else the page scrolls. */
  #wheel(event) {
    const { ctrlKey, metaKey, shiftKey, deltaX, deltaY } = event;
    const sideways = shiftKey ? deltaX || deltaY : Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : 0;
    if (!ctrlKey && !metaKey && !sideways && document.activeElement !== this.frame) return;
    event.preventDefault();
    if (sideways) this.pan(sideways / this.canvas.width);
    else this.zoom(Math.exp(-deltaY / 240), this.canvas.place(event).part);
  }
}
