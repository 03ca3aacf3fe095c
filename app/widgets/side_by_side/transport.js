// Buttons, bar, speed and keys of the common clock.

import { RATES } from "./clock.js";
import { element, icon, setText } from "../lib/dom.js";
import { grouped } from "../lib/words.js";

export class Transport {
  /**
   * `alignments`: [[name, text]]; `align(name)` is called when one is chosen; `moment()` returns
   *  * the text to show instead of the number of the step, or nothing.
   */
  constructor(clock, alignments, align, moment) {
    this.clock = clock;
    this.moment = moment;
    const button = (name, label, action) =>
      element(
        "button",
        { type: "button", class: "wp-button", "aria-label": label, title: label, onclick: action },
        icon(name),
      );
    this.toggle = button("play", "Play all", () => clock.toggle());
    this.toggle.classList.add("wp-play");
    this.slider = element("input", {
      type: "range",
      class: "sbs-slider",
      min: 0,
      step: 1,
      value: 0,
      "aria-label": "position of all runs",
      oninput: () => {
        clock.playing = false;
        clock.moveTo(Number(this.slider.value));
      },
    });
    const rates = RATES.map((rate) => element("option", { value: rate }, rateText(rate)));
    this.rate = select("speed of all runs", rates, (value) => (clock.rate = Number(value)));
    const ways = alignments.map(([name, text]) => element("option", { value: name }, text));
    this.way = select("aligned by", ways, align);
    this.counter = element("div", { class: "wp-counter" });
    this.root = element(
      "div",
      { class: "sbs-transport", role: "group", "aria-label": "all runs" },
      element(
        "div",
        { class: "wp-buttons" },
        button("start", "All to the start (Home)", () => clock.moveTo(0)),
        button("back", "All back one step (←)", () => clock.step(-1)),
        this.toggle,
        button("step", "All on one step (→)", () => clock.step(1)),
      ),
      this.slider,
      this.counter,
      element("label", { class: "sbs-choice" }, "In step by", this.way),
      this.rate,
    );
  }

  show() {
    const { clock } = this;
    const wanted = clock.playing ? "pause" : "play";
    if (this.shown !== wanted) {
      this.shown = wanted;
      this.toggle.replaceChildren(icon(wanted));
      const label = clock.playing ? "Pause all (space)" : "Play all (space)";
      this.toggle.setAttribute("aria-label", label);
      this.toggle.title = label;
    }
    this.slider.max = Math.max(clock.length, 1);
    this.slider.value = clock.position;
    if (Number(this.rate.value) !== clock.rate) this.rate.value = String(clock.rate);
    const step = `step ${grouped(clock.position)} of ${grouped(clock.length)}`;
    setText(this.counter, this.moment() || step);
  }
}

function rateText(rate) {
  return rate === 1 ? "1 step/s" : `${grouped(rate)} steps/s`;
}

function select(label, options, chosen) {
  const made = element(
    "select",
    { class: "wp-select", "aria-label": label, onchange: () => chosen(made.value) },
    ...options,
  );
  return made;
}

const KEYS = {
  " ": (clock) => clock.toggle(),
  ArrowLeft: (clock) => clock.step(-1),
  ArrowRight: (clock) => clock.step(1),
  Home: (clock) => clock.moveTo(0),
  End: (clock) => clock.moveTo(clock.length),
  "+": (clock) => clock.faster(1),
  "-": (clock) => clock.faster(-1),
};

/** A key moves all runs; one run's own player does not receive it. */
export function actOnKey(event, clock) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  const { tagName } = event.target;
  if (tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ")) return;
  action(clock);
  event.preventDefault();
  event.stopPropagation();
}
