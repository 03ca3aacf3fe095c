// Threads and time: the lanes of one warp, step by step, as the player's lanes show a recorded warp.

import { element, setText } from "../widgets/lib/dom.js";
import { followTheme } from "../widgets/lib/theme.js";
import { LaneGrid } from "../widgets/lanes/lanegrid.js";

/** Kinds of steps, whose colours the style sheet names alike, and their texts. */
const BANDS = [
  ["block", "runs code"],
  ["global", "global memory"],
  ["shared", "shared memory"],
  ["local", "local memory"],
];
const LANES = 32;

/** The part of the panel that shows one warp; [] where a report has no steps. */
export function stepsPart({ steps = [] }, editor) {
  const warps = new Map();
  for (const step of steps) {
    const name = `block ${step.block}, warp ${step.warp}`;
    warps.set(name, [...(warps.get(name) ?? []), step]);
  }
  if (!warps.size) return [];
  const names = [...warps.keys()].sort(new Intl.Collator("en", { numeric: true }).compare);
  const frame = element("div", { class: "wp pl-steps" });
  const choice = element("select", { "aria-label": "Warp", onchange: () => show(choice.value) }, ...names.map((name) => element("option", {}, name)));
  let view = null;
  const show = (name) => {
    view?.remove();
    view = new WarpSteps(frame, warps.get(name), editor);
  };
  show(names[0]);
  const note = "A column is one instruction of the warp, or the beginning of a piece of code. Empty cells are lanes that wait or have returned. Point at a cell to read it, click it to go to its line; or use the arrow keys and Enter.";
  return [element("div", { class: "pl-choice" }, element("h2", {}, "Threads and time"), choice), frame, element("p", { class: "ws-note" }, note)];
}

class WarpSteps {
  constructor(frame, steps, editor) {
    this.steps = steps;
    this.now = element("p", { class: "wl-now", role: "status" });
    const cells = { event: [], column: [], lane: [], kind: [], iteration: [] };
    steps.forEach(({ kind, line, lanes }, column) => {
      for (let lane = 0; lane < LANES; ++lane) {
        if (!((lanes >>> lane) & 1)) continue;
        cells.event.push(column);
        cells.column.push(column);
        cells.lane.push(lane);
        cells.kind.push(bandOf(kind));
        cells.iteration.push(line);
      }
    });
    this.cells = cells;
    this.grid = new LaneGrid(cells, steps.length, {
      turn: "line",
      keys: true,
      choose: (index) => editor.goTo(cells.iteration[index]),
      hover: (place) => setText(this.now, place ? this.#words(place) : this.#whole()),
    });
    const key = BANDS.map(([name, text]) => element("li", {}, element("i", { style: `background: var(--wp-${name})` }), text));
    frame.replaceChildren(this.grid.root, this.now, element("ul", { class: "wl-legend" }, ...key));
    setText(this.now, this.#whole());
    this.observer = new ResizeObserver(() => this.grid.resize());
    this.observer.observe(frame);
    const names = BANDS.map(([name]) => name);
    this.unfollow = followTheme(frame, names, (theme) => this.grid.setTheme({ ...theme, colours: names.map((name) => theme[name]) }));
  }

  #whole() {
    const active = this.cells.event.length / (LANES * this.steps.length);
    return `${this.steps.length.toLocaleString("en")} steps; ${Math.round(100 * active)} % of the lanes are active on average.`;
  }

  #words({ column, lane, index }) {
    const { kind, line, lanes } = this.steps[column];
    let active = 0;
    for (let rest = lanes; rest; rest &= rest - 1) ++active;
    const what = kind === "block" ? "code" : kind;
    return `Lane ${lane}, step ${column}: ${index < 0 ? "not active; " : ""}${what} of line ${line}, ${active} of ${LANES} lanes active.`;
  }

  remove() {
    this.observer.disconnect();
    this.unfollow();
  }
}

function bandOf(kind) {
  return Math.max(0, BANDS.findIndex(([name]) => kind.startsWith(name)));
}
