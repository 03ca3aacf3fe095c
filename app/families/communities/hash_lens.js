// The bucket lens: lanes of a warp take the neighbours of a vertex and add their edges up in a hash
// table, slot by slot.

import { element, setText } from "warplens/dom.js";
import { CATEGORIES } from "warplens/theme.js";
import { counted, shortNumber } from "warplens/words.js";

const PER_SECOND = 2.5;

export function render({ model, el }) {
  let view = null;
  const show = () => {
    view?.stop();
    const data = model.get("table");
    view = data?.sweeps?.length ? new HashLens(data) : null;
    const text = model.get("placeholder");
    el.replaceChildren(view ? view.root : element("p", { class: "wh-nothing" }, text));
  };
  model.on("change:table", show);
  model.on("change:placeholder", show);
  show();
  return () => view?.stop();
}

class HashLens {
  constructor(data) {
    this.data = data;
    this.sweep = 0;
    this.step = 0;
    const button = (text, label, act) =>
      element("button", { type: "button", class: "wp-plain", "aria-label": label, title: label, onclick: act }, text);
    this.sweeps = element(
      "select",
      { class: "wp-select", "aria-label": "sweep of the lens", onchange: () => this.choose(Number(this.sweeps.value)) },
      ...data.sweeps.map(({ sweep }, i) => element("option", { value: i }, `sweep ${sweep}`)),
    );
    this.slider = element("input", {
      type: "range", min: 0, step: 1, class: "wh-slider", "aria-label": "step of the lens",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.play = button("play", "Play the lens", () => this.toggle());
    const tools = [
      this.sweeps, this.play,
      button("◂", "One edge back", () => this.go(this.step - 1)),
      button("▸", "One edge on", () => this.go(this.step + 1)),
      this.slider,
    ];
    this.sentence = element("p", { class: "wh-now", "aria-live": "polite" });
    this.lanes = element("div", { class: "wh-lanes", role: "img" });
    this.table = element("div", { class: "wh-table", role: "img" });
    this.verdict = element("p", { class: "wh-verdict" });
    const wide = data.lanes > 32 ? `a block of ${data.lanes} threads` : counted(data.lanes, "lane");
    const about = `${data.label} has ${counted(data.degree, "neighbour")}: bucket ${data.bucket}, `
      + `${wide} for it, and a table of ${data.slots} slots (the first prime over 1.5 times the degree).`;
    this.root = element(
      "section",
      { class: "wp wh", "aria-label": "bucket lens" },
      element("p", { class: "wh-about" }, about),
      element("div", { class: "wh-tools" }, ...tools),
      this.sentence,
      element("h4", {}, "Lanes, and the neighbour that each one takes"),
      this.lanes,
      element("h4", {}, "Hash table: community and the weight of the edges into it"),
      this.table,
      this.verdict,
    );
    this.choose(0);
  }

  get steps() {
    return this.data.sweeps[this.sweep].steps;
  }

  choose(sweep) {
    this.sweep = sweep;
    this.slider.max = this.steps.length;
    this.go(this.steps.length);
  }

  go(step) {
    this.step = Math.max(0, Math.min(this.steps.length, step));
    this.slider.value = this.step;
    this.draw();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.step === this.steps.length) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step === this.steps.length) this.stop();
    }, 1000 / PER_SECOND);
    setText(this.play, "pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    setText(this.play, "play");
  }

  draw() {
    const { steps, step, data } = this;
    const done = steps.slice(0, step);
    const now = done.at(-1);
    setText(this.sentence, now ? sentenceOf(now) : "The table is empty: no lane has added its edge yet.");
    this.#drawLanes(done, now);
    this.#drawTable(done, now);
    const ended = step === steps.length;
    setText(this.verdict, ended ? data.sweeps[this.sweep].verdict : " ");
  }

  /** A cell a lane; lanes that found no neighbour to take stay pale. */
  #drawLanes(done, now) {
    const round = now?.round ?? 0;
    const taken = new Map(done.filter((one) => one.round === round).map((one) => [one.lane, one]));
    const cells = Array.from({ length: this.data.lanes }, (_, lane) => {
      const one = taken.get(lane);
      const cell = element("i", { title: one ? `lane ${lane}: ${one.neighbour}` : `lane ${lane}` }, String(lane));
      if (one) paint(cell, one.hue);
      if (one && one === now) cell.classList.add("wh-at");
      return cell;
    });
    this.lanes.replaceChildren(...cells);
    this.lanes.setAttribute("aria-label", `${taken.size} of ${this.data.lanes} lanes have added an edge`);
  }

  #drawTable(done, now) {
    const slots = new Map();
    for (const one of done) {
      const slot = slots.get(one.slot) ?? { ...one, weight: 0 };
      slot.weight += one.weight;
      slots.set(one.slot, slot);
    }
    const missed = new Set(now?.path.slice(0, -1));
    const cells = Array.from({ length: this.data.slots }, (_, number) => {
      const slot = slots.get(number);
      const words = slot ? [element("b", {}, slot.name), element("span", {}, shortNumber(slot.weight))] : [];
      const cell = element("i", { title: slot ? `slot ${number}: community of ${slot.name}` : `slot ${number}, empty` });
      cell.append(element("small", {}, String(number)), ...words);
      if (slot) paint(cell, slot.hue);
      if (now?.slot === number) cell.classList.add("wh-at");
      if (missed.has(number)) cell.classList.add("wh-missed");
      return cell;
    });
    this.table.replaceChildren(...cells);
    this.table.setAttribute("aria-label", `${slots.size} of ${this.data.slots} slots are filled`);
  }
}

/** Communities that last have their colour, the others none. */
function paint(cell, hue) {
  cell.classList.add("wh-full");
  cell.style.setProperty("--hue", hue < 0 ? "var(--wp-minor)" : CATEGORIES[hue]);
}

function sentenceOf({ lane, neighbour, weight, name, slot, path }) {
  const start = `Lane ${lane} takes ${neighbour} (weight ${shortNumber(weight)}), which is in the community of ${name}: `;
  if (path.length === 1) return `${start}slot ${slot} at the first probe.`;
  const missed = path.slice(0, -1).join(", ");
  return `${start}${path.length - 1 === 1 ? "slot" : "slots"} ${missed} taken by others, so slot ${slot} at probe ${path.length}.`;
}
