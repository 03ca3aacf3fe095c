// A run on a graph beside one on its men and women, where vertex v, man v and woman v are one:
// both go in step, light up together, and are described line by line in a ledger.

import { element, setText } from "warplens/dom.js";
import { SideBySide, renderAs } from "../../../widgets/side_by_side/side_by_side.js";
import { counted, grouped } from "warplens/words.js";

export function render(given) {
  return renderAs(Linked, given);
}

const CARDS = 12; // of more people there are strips, which need less room

export class Linked extends SideBySide {
  constructor(host, message) {
    super(host, message);
    this.root.classList.add("lk");
    this.root.classList.toggle("lk-many", this.meta.n > CARDS);
    this.pinned = [-1, -1];
    this.lit = -1;
    this.ledger = new Ledger(this.meta, [this.arrays["ends/0"], this.arrays["ends/1"]], (times) => {
      this.clock.playing = false;
      this.clock.moveTo(Math.max(...times.map((time, k) => this.clock.positionOf(k, time))));
    });
    this.root.append(this.ledger.root);
    this.#listen();
    this.mark();
  }

  /** Pointer and pin events are handled here after the pictures have handled them. */
  #listen() {
    for (const { stage, root } of this.views) {
      for (const kind of ["pointermove", "pointerup", "pointerleave"]) {
        stage.root.addEventListener(kind, () => this.#light());
      }
      root.addEventListener("keyup", () => this.#light());
    }
  }

  #light() {
    this.#sharePins();
    const over = this.views.map(({ stage }) => stage.hovered).find((vertex) => vertex !== undefined);
    const vertex = over ?? Math.max(...this.pinned);
    const lit = vertex < 0 ? -1 : vertex % this.meta.n;
    if (lit === this.lit) return;
    this.lit = lit;
    this.lights = lit < 0 ? [[], []] : [[lit], [lit, this.meta.n + lit]];
    this.mark();
  }

  /** A vertex that is pinned on one side is pinned on the other: as a man, who has the same list. */
  #sharePins() {
    const now = this.views.map(({ explorer }) => explorer.pinned);
    const changed = now.findIndex((vertex, k) => vertex !== this.pinned[k]);
    if (changed >= 0) {
      const other = 1 - changed;
      const vertex = now[changed];
      now[other] = vertex < 0 ? -1 : vertex % this.meta.n;
      if (this.views[other].explorer.pinned !== now[other]) this.views[other].explorer.pin(now[other]);
    }
    this.pinned = now;
  }

  mark() {
    if (!this.ledger) return; // not yet
    this.views.forEach((view, k) => {
      view.marks.differing = this.lights?.[k] ?? NOTHING;
      view.requestFrame();
    });
    const step = this.ledger.show(this.clock.time(0), this.clock.time(1));
    setText(this.words, this.#sentenceOf(step));
  }

  #sentenceOf(step) {
    if (!this.clock.position) return "Play, or the arrow keys, show the first step on both sides.";
    const { ledger, n } = this.meta;
    const [graph, people] = this.views.map(({ timeline: { state } }) => state);
    const count = (test) => Array.from({ length: n }, (_, v) => v).filter(test).length;
    const place = `${ledger.unit} ${grouped(step + 1)} of ${grouped(ledger.rows.length)}`;
    if (ledger.mode === "rounds") return `${place}: ${matchedText(graph, people, n, count)}`;
    const alike = count((v) => graph.suitor[v] === people.mate[n + v]);
    const held = alike === n
      ? "each vertex holds the suitor that its woman holds"
      : `${grouped(alike)} of ${counted(n, "vertex")} hold the suitor that their woman holds`;
    if (!this.ledger.whole) return `${place}, a man moves down his list: ${held}.`;
    return `${place}, ${ledger.rows[step][2] ? "" : "not "}the same on both sides: ${held}.`;
  }
}

function matchedText(graph, people, n, count) {
  const matched = (v) => graph.suitor[v] >= 0 && graph.suitor[graph.suitor[v]] === v;
  const all = count(matched);
  if (!all) return "nothing is matched on the left yet.";
  const married = count((v) => matched(v) && people.mate[v] === n + graph.suitor[v]);
  return `On the left ${counted(all, "vertex")} matched; on the right `
    + `${married === all ? "all" : grouped(married)} of their men engaged likewise.`;
}

const NOTHING = [];
/** Signs of lines where the claim does not hold, or holds. */
const SIGNS = { proposals: ["≠", "="], rounds: [">", "≤"] };

/** The ledger: both runs as text, a line for each step; a click on a line goes there. */
class Ledger {
  constructor({ ledger, titles }, ends, go) {
    this.ends = ends;
    this.current = -1;
    this.rows = ledger.rows.map(([left, right, same], i) => {
      const act = () => go(ends.map((side) => side[i]));
      const number = element("button", { type: "button", onclick: act, "aria-label": `go to ${ledger.unit.toLowerCase()} ${i + 1}` }, grouped(i + 1));
      const said = same ? "as claimed" : "not as claimed";
      const sign = element("span", { class: same ? "lk-same" : "lk-other", role: "img", "aria-label": said }, SIGNS[ledger.mode][Number(same)]);
      const cells = [left, right].map((text) => element("td", {}, text));
      return element("tr", { onclick: act }, element("th", { scope: "row" }, number), cells[0], element("td", {}, sign), cells[1]);
    });
    const heads = [ledger.unit, titles[0], "Alike", titles[1]].map((text) => element("th", { scope: "col" }, text));
    const body = element("tbody", {}, ...this.rows);
    this.box = element("div", { class: "lk-box", tabindex: 0, role: "region", "aria-label": "both runs in words" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body));
    this.root = element("section", { class: "lk-ledger" }, element("h3", {}, "Both runs in words"), this.box);
  }

  /** Marks the line that is under way, or has just come to its end; returns its number, or -1. */
  show(left, right) {
    const times = [left, right];
    const step = Math.max(...this.ends.map((side, k) => (times[k] ? below(side, times[k]) : -1)));
    this.whole = step < 0 || this.ends.every((side, k) => side[step] === times[k]);
    if (step === this.current) return step;
    this.rows[this.current]?.removeAttribute("aria-current");
    this.current = step;
    const row = this.rows[step];
    row?.setAttribute("aria-current", "step");
    const top = row ? row.offsetTop - this.box.clientHeight / 2 : 0;
    this.box.scrollTo({ top, behavior: "instant" });
    return step;
  }
}

/** How many of the ascending `values` are below `least`. */
function below(values, least) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
