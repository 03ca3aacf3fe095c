// The puzzles: their text, hint and solution, and whether the last run meets the goals. Which ones
// are solved is kept in the browser only.

import { element, setText } from "../widgets/lib/dom.js";
import { judge } from "./judge.js";

const STORE = "warplens-puzzles";
const OWN = "Your own kernel";

export class PuzzlePane {
  /** `open(puzzle)` loads its start, `solve(puzzle)` its solution. */
  constructor(puzzles, { open, solve }) {
    this.puzzles = puzzles;
    this.open = open;
    this.solve = solve;
    this.select = element("select", { id: "pl-puzzle", onchange: () => open(this.#named(this.select.value)) });
    this.text = element("p", { class: "pl-task" });
    this.hint = fold("Hint");
    this.reason = fold("Solution");
    this.goals = element("ul", { class: "ws-checks pl-goals", "aria-label": "goals", "aria-live": "polite" });
    this.root = element(
      "section",
      { class: "ws-card pl-puzzle", "aria-label": "puzzle" },
      element("label", { for: "pl-puzzle" }, "Puzzle", this.select),
      this.text,
      element("div", { class: "pl-folds" }, this.hint, this.reason),
      this.goals,
    );
    this.show("");
  }

  #named(name) {
    return this.puzzles.find((one) => one.name === name) ?? null;
  }

  /** Shows a puzzle by name; "" is the reader's own kernel. */
  show(name) {
    const puzzle = this.#named(name);
    this.puzzle = puzzle;
    const solved = stored();
    const label = ({ name, title }, number) => `${number + 1}. ${title}${solved.includes(name) ? " ✓" : ""}`;
    const offered = this.puzzles.map((one, number) => element("option", { value: one.name }, label(one, number)));
    this.select.replaceChildren(element("option", { value: "" }, OWN), ...offered);
    this.select.value = puzzle?.name ?? "";
    setText(this.text, puzzle?.text ?? "Write a kernel, choose its launch, and run it. Nothing leaves your browser.");
    for (const box of [this.hint, this.reason]) box.open = false;
    for (const box of [this.hint, this.reason, this.goals]) box.hidden = !puzzle;
    this.goals.replaceChildren();
    if (!puzzle) return;
    this.hint.lastChild.replaceChildren(puzzle.hint);
    const take = element("button", { type: "button", onclick: () => this.solve(puzzle) }, "Put the solution into the editor");
    this.reason.lastChild.replaceChildren(element("p", {}, puzzle.reason), take);
  }

  /** Judges a report; without one the goals are cleared. */
  judge(report) {
    if (!this.puzzle || !report) return this.goals.replaceChildren();
    const goals = judge(this.puzzle, report);
    const sign = (met) => element("span", { class: "ws-title" }, met ? "met: " : "missed: ");
    this.goals.replaceChildren(...goals.map(({ text, met }) => element("li", { class: met ? "good" : "bad" }, sign(met), text)));
    if (!goals.every(({ met }) => met)) return;
    this.goals.append(element("li", { class: "good" }, element("b", {}, "Solved.")));
    store([...new Set([...stored(), this.puzzle.name])]);
    const option = this.select.selectedOptions[0];
    if (!option.textContent.endsWith("✓")) option.textContent += " ✓";
  }
}

function fold(title) {
  return element("details", {}, element("summary", {}, title), element("div", {}));
}

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // a browser may forbid storage
  }
}

function store(names) {
  try {
    localStorage.setItem(STORE, JSON.stringify(names));
  } catch {
    // Without storage the progress lasts as long as the page.
  }
}
