// The table of all lists, a line for each person, as papers print it.  What has become of a place is
// said by its colour and its frame: deleted places are struck out.

import { TWO_LINES } from "warplens/camera.js";
import { canvasWithContext, fitLayers, layer } from "warplens/graphview.js";
import { PLACE, listsOf } from "./lists.js";
import { vertexLabel } from "warplens/words.js";

const ABOVE = { one: 56, two: 88 }; // measures and buttons in one line, or in two
const BELOW = 14;
const SIDE = 14;
const MOST = { row: 38, cell: 52 };
const LETTERS = 9; // of a name that is written

export class TableView {
  static TITLE = "Lists";

  /** `arrays`: lists/offsets, lists/people; `styles`: how the people of each class look. */
  constructor(host, meta, arrays, styles) {
    Object.assign(this, { meta, styles, lists: listsOf(arrays), selected: -1, chain: [] });
    this.n = meta.n;
    this.above = layer(host);
    this.canvas = this.above.canvas;
    this.camera = { reset() {}, pan() {}, zoomAt() {} };
    this.zooms = false;
    this.note = "A line for each person: the list, the most wanted first.";
    this.measure = canvasWithContext().context;
  }

  nameOf(person) {
    const name = this.meta.names?.[person] ?? vertexLabel(this.meta, person).replace(/^\D+/, "");
    return name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name;
  }

  resize(width, height, ratio) {
    Object.assign(this, { width, height, ratio });
    fitLayers([this.above], width, height, ratio);
    this.refresh();
  }

  setTheme(theme) {
    this.theme = theme;
    this.refresh();
  }

  refresh() {
    if (!this.theme || !this.ratio) return;
    const top = this.width > TWO_LINES ? ABOVE.one : ABOVE.two;
    this.row = Math.min(MOST.row, (this.height - top - BELOW) / Math.max(1, this.n));
    this.font = Math.max(5, Math.min(14, this.row * 0.7));
    this.measure.font = `600 ${this.font}px ${this.theme.font}`;
    const widths = Array.from({ length: this.n }, (_, p) => this.measure.measureText(this.nameOf(p)).width);
    this.head = Math.max(18, ...widths) + 18;
    this.cell = Math.min(MOST.cell, (this.width - 2 * SIDE - this.head) / Math.max(1, this.lists.longest));
    this.left = (this.width - this.head - this.cell * this.lists.longest) / 2;
    this.top = top + Math.max(0, (this.height - top - BELOW - this.row * this.n) / 2);
  }

  /** The middle of a person's own field, or of the place of `other` in the list. */
  spot(person, other) {
    const y = this.top + (person + 0.5) * this.row;
    const entry = other === undefined ? -1 : this.lists.entry(person, other);
    if (entry < 0) return [this.left + (this.head - 10) / 2, y, this.head - 10];
    return [this.left + this.head + (this.lists.rank(entry) - 0.5) * this.cell, y, this.cell - 3];
  }

  draw(marks, effects) {
    if (!this.theme || !this.ratio) return;
    const { context } = this.above;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "middle";
    const differing = new Set(marks.differing);
    for (let p = 0; p < this.n; ++p) {
      this.#person(context, p, this.styles[marks.classes[p]]);
      for (let e = this.lists.offsets[p]; e < this.lists.offsets[p + 1]; ++e) {
        this.#place(context, p, this.lists.people[e], this.lists.placeOf(e, marks.state));
      }
      if (differing.has(p)) this.#frame(context, this.spot(p), "accent", 3);
    }
    if (this.selected >= 0) this.#line(context, this.selected);
    for (const { from, to, lost } of this.chain) {
      for (const one of [from, lost]) if (one >= 0 && one !== to) this.#frame(context, this.spot(one, to), "accent", 3);
    }
    for (const { effect, progress, alpha } of effects) {
      context.globalAlpha = alpha * (1 - 0.5 * progress);
      const { at, from, to, colour } = effect;
      if (at !== undefined) this.#frame(context, this.spot(at), colour, 3);
      else for (const [one, other] of [[from, to], [to, from]]) this.#frame(context, this.spot(one, other), colour, 3);
    }
    context.globalAlpha = 1;
  }

  #person(context, person, { look, colour }) {
    const [x, y, wide] = this.spot(person);
    const full = look === "full" || look === "square";
    const [height, theme] = [this.row - 4, this.theme];
    context.beginPath();
    context.roundRect(x - wide / 2, y - height / 2, wide, height, Math.min(6, height / 3));
    context.fillStyle = full ? theme[colour] : theme.raised;
    context.fill();
    context.strokeStyle = theme[colour];
    context.lineWidth = look === "ring" ? 2 : 1;
    context.setLineDash(look === "hollow" ? [3, 2] : []);
    context.stroke();
    context.setLineDash([]);
    this.#write(context, this.nameOf(person), x, y, full ? theme.ground : theme.text, 650);
  }

  #place(context, person, other, place) {
    const [x, y, wide] = this.spot(person, other);
    const [height, theme] = [this.row - 5, this.theme];
    context.beginPath();
    context.roundRect(x - wide / 2, y - height / 2, wide, height, Math.min(5, height / 3));
    if (place === PLACE.pair) {
      context.fillStyle = theme.done;
      context.fill();
    } else if (place >= PLACE.holds) {
      context.strokeStyle = theme.tried;
      context.lineWidth = 1.8;
      context.setLineDash(place === PLACE.holds ? [3, 2] : []);
      context.stroke();
      context.setLineDash([]);
    }
    const ink = { [PLACE.pair]: theme.ground, [PLACE.deleted]: theme.soft }[place] ?? theme.text;
    this.#write(context, this.nameOf(other), x, y, ink, place >= PLACE.holds ? 650 : 450);
    if (place !== PLACE.deleted) return;
    context.strokeStyle = theme.undone;
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(x - 0.34 * wide, y);
    context.lineTo(x + 0.34 * wide, y);
    context.stroke();
  }

  #write(context, text, x, y, colour, weight) {
    context.font = `${weight} ${this.font}px ${this.theme.font}`;
    context.fillStyle = colour;
    context.fillText(text, x, y + 0.5, Math.max(4, this.cell - 4));
  }

  #frame(context, [x, y, wide], colour, width) {
    const height = this.row - 3;
    context.strokeStyle = this.theme[colour];
    context.lineWidth = width;
    context.beginPath();
    context.roundRect(x - wide / 2 - 1, y - height / 2, wide + 2, height, Math.min(6, height / 3));
    context.stroke();
  }

  /** A frame around the line of a person. */
  #line(context, person) {
    const wide = this.head + this.cell * this.lists.length(person);
    this.#frame(context, [this.left + wide / 2 - 3, this.spot(person)[1], wide], "accent", 2);
  }

  select(person) {
    this.selected = person;
  }

  /** The person at a pixel, or -1: who is named there. */
  pick(px, py) {
    const person = Math.floor((py - this.top) / this.row);
    if (person < 0 || person >= this.n) return -1;
    const place = Math.floor((px - this.left - this.head) / this.cell);
    if (px < this.left || place >= this.lists.length(person)) return -1;
    return px < this.left + this.head ? person : this.lists.people[this.lists.offsets[person] + place];
  }

  remove() {
    this.canvas.remove();
  }
}
