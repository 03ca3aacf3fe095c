// The graph, and its schedule below: which ratings are updated, and which thread does it in which step.

import { RatingRails } from "./ratingrails.js";
import { ScheduleView } from "./scheduleview.js";
import { threadsOf } from "./steps.js";
import { element } from "warplens/dom.js";

const MOST = 0.46; // of the height for the schedule
const LEAST_GRAPH = 190; // pixels

export class Together {
  static TITLE = "Graph and schedule";

  constructor(host, meta, arrays, styles) {
    const half = () => element("div", { class: "wp-half" });
    this.frames = [half(), half()];
    host.append(...this.frames);
    this.graph = new RatingRails(this.frames[0], meta, arrays, styles);
    this.schedule = new ScheduleView(this.frames[1], meta, arrays, styles, false);
    this.camera = this.graph.camera;
    this.threads = threadsOf(meta, arrays);
  }

  /** Without a run the graph has all of the picture. */
  #split(height) {
    if (!this.threads) return height;
    const wanted = Math.min(ScheduleView.heightFor(this.threads), MOST * height);
    return Math.max(Math.min(LEAST_GRAPH, height), Math.round(height - wanted));
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.border = this.#split(height);
    const share = (100 * this.border) / height; // the frame may be larger than what is drawn for it
    this.frames[0].style.cssText = `height: ${share}%`;
    this.frames[1].style.cssText = `top: ${share}%; height: ${100 - share}%`;
    this.graph.resize(width, this.border, ratio);
    this.schedule.resize(width, height - this.border, ratio);
  }

  setTheme(theme) {
    this.theme = theme;
    this.graph.setTheme(theme);
    this.schedule.setTheme(theme);
  }

  refresh() {
    this.graph.refresh();
  }

  draw(marks, effects, hidden) {
    this.graph.draw(marks, effects, hidden);
    this.schedule.draw(marks);
  }

  pick(x, y) {
    return y < this.border ? this.graph.pick(x, y) : this.schedule.pick(x, y - this.border);
  }

  select(vertex) {
    this.graph.select(vertex);
    this.schedule.select(vertex);
  }

  /** What a story points at is in the graph. */
  look(vertices) {
    this.graph.look(vertices);
  }

  get X() {
    return this.graph.X;
  }

  get Y() {
    return this.graph.Y;
  }

  get radius() {
    return this.graph.radius;
  }

  get selected() {
    return this.graph.selected;
  }

  get byWarp() {
    return this.graph.byWarp;
  }

  set byWarp(byWarp) {
    this.graph.byWarp = byWarp;
  }

  get chain() {
    return this.graph.chain;
  }

  set chain(chain) {
    this.graph.chain = chain;
  }

  remove() {
    this.graph.remove();
    this.schedule.remove();
  }
}
