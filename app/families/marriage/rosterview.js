// Two rails of people with their preference lists: cards that can be read, or strips that show
// the progress in each list.  A thick line joins each engaged pair.
//
// It takes lists, a state and marks, and does not depend on the algorithm.

import { lineKey } from "warplens/changes.js";
import { canvasWithContext, fitLayers, layer } from "warplens/graphview.js";
import { entriesOf, listsOf } from "./preferences.js";
import { Cards } from "./rostercards.js";
import { RosterChanges } from "./rosterchanges.js";
import { RosterCamera } from "./rostercamera.js";
import { drawFlight, trace, widths } from "./rosterlines.js";
import { inARow } from "./rosternames.js";
import { vertexLabel } from "warplens/words.js";

const ARRIVES = 0.42; // share of its time that a proposal moves; until then the old cards are shown
const AT_ONCE = 12; // lines of one path
const MOST_LINES = 60; // more lines to those on a list, or of a chain, hide each other

export class RosterView {
  static TITLE = "Rails";

  /** `arrays`: layout/x, lists/offsets, lists/people; `styles`: how the people of each class look. */
  constructor(host, meta, arrays, styles) {
    host.classList.add("wp-roster");
    this.meta = meta;
    this.styles = styles;
    this.men = meta.rows;
    this.x = arrays["layout/x"];
    this.lists = listsOf(arrays);
    this.places = arrays["lists/places"]; // how many partners each may have, where some have more
    this.camera = new RosterCamera(this.x, this.men, this.lists.longest);
    this.X = new Float32Array(this.x.length);
    this.Y = new Float32Array(this.x.length);
    this.above = layer(host);
    this.lines = canvasWithContext();
    this.now = canvasWithContext(); // the cards
    this.before = canvasWithContext(); // and as they were before the last event
    this.altered = new RosterChanges();
    this.cards = new Cards(this);
    this.entries = new Uint8Array(Math.max(1, this.lists.longest));
    this.selected = -1;
    this.chain = []; // [{from, to, lost}] to be lit
  }

  nameOf(person) {
    return vertexLabel(this.meta, person);
  }

  /** As it stands in lists: the letter of the side, where there is no name. */
  shortOf(person) {
    return this.meta.names?.[person] ?? this.nameOf(person).replace(/^(\w)\w* (\d+)$/, "$1$2");
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.camera.resize(width, height);
    fitLayers([this.above, this.lines, this.now, this.before], width, height, ratio);
    this.refresh();
  }

  setTheme(theme) {
    this.theme = theme;
    this.cards.fitted.clear();
    this.refresh();
  }

  refresh() {
    if (!this.theme || !this.ratio) return;
    this.camera.project(this.x, null, this.X, this.Y);
    this.radius = this.camera.radius;
    this.stale = true;
  }

  /** `marks`: links, arrows, classes and version; for the lists see `entriesOf`; `effects`:
   *  [{effect, progress, alpha}]; `hidden`: lines not to draw. */
  draw(marks, effects, hidden) {
    if (!this.theme || !this.ratio) return;
    this.#settle(marks);
    const { context } = this.above;
    this.#clear(this.above);
    context.lineCap = context.lineJoin = "round";
    this.#drawTitles(context);
    this.#drawSelection(context);
    this.#drawChain(context);
    this.#drawLines(marks, hidden);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.lines.canvas, 0, 0);
    const flying = effects.length > 0 && effects.every(({ progress }) => progress < ARRIVES);
    context.drawImage((flying && this.known ? this.before : this.now).canvas, 0, 0);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const { effect, progress, alpha } of effects) {
      context.globalAlpha = alpha;
      drawFlight(context, this, effect, progress);
    }
    context.globalAlpha = 1;
    this.#drawPorts(context, marks);
    this.#drawActors(context, effects);
  }

  /** Redraws only cards whose state changed. */
  #settle(marks) {
    const same = this.version === marks.version && this.differing === marks.differing;
    if (!this.stale && same) return;
    if (this.stale) this.altered.forget();
    [this.version, this.differing, this.lined] = [marks.version, marks.differing, null];
    marks.lists ??= this.lists;
    const dirty = this.altered.take(marks, this.lists);
    this.known = dirty !== null; // what was before is of the same size
    this.stale = false;
    if (dirty) this.#copy(this.now, this.before);
    else this.#clear(this.now);
    const { context } = this.now;
    const differing = new Set(marks.differing);
    for (const v of dirty ?? this.X.keys()) {
      if (!this.#isSeen(v)) continue;
      if (dirty) this.cards.erase(context, v);
      this.cards.draw(context, v, this.placesOf(v, marks), this.styles[marks.classes[v]]);
      if (differing.has(v)) this.#frame(context, v, "accent", 3);
    }
  }

  #clear({ canvas, context }) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  #copy(from, { context }) {
    context.globalCompositeOperation = "copy";
    context.drawImage(from.canvas, 0, 0);
    context.globalCompositeOperation = "source-over";
  }

  /** The states of the places in a person's list, see preferences.js. */
  placesOf(person, marks) {
    return entriesOf(person, marks, this.entries).subarray(0, this.lists.length(person));
  }

  #isSeen(person) {
    const half = this.camera.spacing / 2;
    return this.X[person] > -half && this.X[person] < this.camera.width + half;
  }

  /** Engagements, and proposals that wait for their answer. */
  #drawLines({ links, arrows }, hidden) {
    const { theme, radius, camera } = this;
    const lined = [...hidden].join();
    if (this.lined === lined) return; // as they stand there
    this.lined = lined;
    this.#clear(this.lines);
    const { context } = this.lines;
    context.lineCap = "round";
    const { link, thin } = widths(radius);
    const isHidden = (one, other) =>
      hidden.has(lineKey(one, other)) || hidden.has(lineKey(other, one));
    // Where many lines cross, each is thin and pale; together they are as strong as before.
    const crowd = Math.min(1, Math.max(0.22, camera.spacing / camera.zoom / 22));
    for (const [pairs, colour, width] of [[arrows, "tried", thin * 1.3], [links, "done", link]]) {
      context.strokeStyle = theme[colour];
      context.lineWidth = Math.max(0.8, width * crowd);
      context.globalAlpha = 0.25 + 0.75 * crowd;
      // Lines of one path do not add up where they cross; one path for each would be slow.
      for (let first = 0; first < pairs.length; first += 2 * AT_ONCE) {
        context.beginPath();
        for (let i = first; i < Math.min(pairs.length, first + 2 * AT_ONCE); i += 2) {
          if (!isHidden(pairs[i], pairs[i + 1])) trace(context, this, pairs[i], pairs[i + 1]);
        }
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  /** Where lines end at the cards. */
  #drawPorts(context, { classes }) {
    const { camera, theme, radius } = this;
    if (!camera.cards) return;
    for (let v = 0; v < this.X.length; ++v) {
      if (!this.#isSeen(v)) continue;
      const look = this.styles[classes[v]];
      context.beginPath();
      context.arc(this.X[v], this.Y[v], radius, 0, 2 * Math.PI);
      context.fillStyle = look.full ? theme[look.colour] : theme.ground;
      context.strokeStyle = theme[look.colour];
      context.lineWidth = 1.6;
      context.fill();
      context.stroke();
    }
  }

  /** A frame round the people of the last event; their names where there are no cards. */
  #drawActors(context, effects) {
    const about = new Set(effects.flatMap(({ effect }) => [effect.from, effect.to, effect.at]));
    about.delete(undefined);
    if (this.camera.cards) {
      for (const v of about) this.#frame(context, v, "tried", 2);
      return;
    }
    if (this.selected >= 0) about.add(this.selected);
    context.font = `700 12px ${this.theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 4;
    for (const side of [0, 1]) {
      const named = [...about].slice(-6).filter((v) => Number(v >= this.men) === side).map((v) => {
        const name = this.nameOf(v);
        return { name, x: this.X[v], half: context.measureText(name).width / 2 + 6, y: this.Y[v] + (side ? -13 : 13) };
      });
      for (const { name, x, y } of inARow(named, this.camera.width)) {
        context.strokeStyle = this.theme.ground;
        context.strokeText(name, x, y);
        context.fillStyle = this.theme.text;
        context.fillText(name, x, y);
      }
    }
  }

  #frame(context, person, colour, width) {
    const box = this.cards.boxOf(person);
    context.strokeStyle = this.theme[colour];
    context.lineWidth = width;
    context.beginPath();
    context.roundRect(box.left - 2, box.top - 2, box.width + 4, box.height + 4, this.camera.cards ? 10 : 5);
    context.stroke();
  }

  #drawTitles(context) {
    const { camera, theme, meta } = this;
    const { depth, tracks } = camera;
    const sides = meta.rails ?? ["Men", "Women"];
    const turns = { men: [" propose", " choose"], women: [" choose", " propose"] }[meta.proposers];
    const [first, second] = sides.map((side, k) => side + (turns?.[k] ?? ""));
    context.font = `650 12px ${theme.font}`;
    context.fillStyle = theme.soft;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const left = Math.max(16, camera.ends[0] - camera.spacing / 2 + 8);
    context.fillText(first, left, tracks.men - depth - 12);
    context.fillText(second, left, tracks.women + depth + 13);
  }

  /** Thin lines from the selected person to all on the list, the best ones strongest. */
  #drawSelection(context) {
    const { selected, lists, theme } = this;
    if (selected < 0) return;
    const length = Math.min(lists.length(selected), MOST_LINES);
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.3;
    for (let k = 0; k < length; ++k) {
      context.globalAlpha = 0.75 - 0.6 * (k / Math.max(1, length));
      context.beginPath();
      trace(context, this, selected, lists.at(selected, k));
      context.stroke();
    }
    context.globalAlpha = 0.9;
    this.#frame(context, selected, "accent", 2.5);
    context.globalAlpha = 1;
  }

  /** A chain of displacements. */
  #drawChain(context) {
    if (!this.chain.length) return;
    context.strokeStyle = this.theme.accent;
    context.globalAlpha = 0.2;
    context.lineWidth = Math.max(6, 2 * widths(this.radius).link);
    context.beginPath();
    for (const { from, to, lost } of this.chain.slice(-MOST_LINES)) {
      trace(context, this, from, to);
      if (lost >= 0) trace(context, this, lost, to);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  select(person) {
    this.selected = person;
  }

  /** The person at a pixel, or -1. */
  pick(px, py) {
    for (let v = 0; v < this.X.length; ++v) {
      const { left, top, width, height } = this.cards.boxOf(v);
      if (px >= left && px <= left + width && py >= top - 4 && py <= top + height + 4) return v;
    }
    return -1;
  }

  remove() {
    this.above.canvas.remove();
  }
}
