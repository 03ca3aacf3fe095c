// The 32 lanes of a warp, a row a step: what its instructions did that recorded something.

import { bandSign } from "../lib/bandfill.js";
import { element, setText } from "../lib/dom.js";
import { counted, grouped } from "../lib/words.js";

const LANES = 32;
const BEFORE = 1; // steps that are shown before the current one
const SHOWN = 3;

export class LaneSteps {
  /** `close()` is called by the button. */
  constructor(rows, meta, events, { seek, sentence, close }) {
    Object.assign(this, { rows, events, seek, sentence, noun: meta.axis.noun, turn: meta.turn });
    this.colours = new Map(meta.bands.flatMap(({ kinds, colour }) => kinds.map((kind) => [kind, colour])));
    this.title = element("b", { "aria-live": "polite" });
    const shut = element("button", { type: "button", class: "wx-button", "aria-label": "Close the lanes", onclick: close }, "×");
    this.list = element("ol", { class: "wx-steps" });
    this.about = element("p", { class: "wx-about" });
    this.root = element(
      "section",
      { class: "wx-lanes", "aria-label": "lanes of a warp", hidden: true },
      element("div", { class: "wx-head" }, this.title, shut),
      this.list,
      this.about,
    );
  }

  /** Shows a warp (-1: none) after so many events. */
  show(warp, count) {
    this.root.hidden = warp < 0;
    if (warp < 0) return;
    if (warp !== this.warp) {
      this.warp = warp;
      this.steps = this.rows.stepsOf(warp);
      this.drawn = null;
    }
    const now = this.#stepAt(count);
    if (now === this.drawn) return;
    this.drawn = now;
    const from = Math.max(0, Math.min(this.steps.length - SHOWN, now - BEFORE));
    const shown = this.steps.slice(from, from + SHOWN);
    this.list.replaceChildren(...shown.map((step, i) => this.#row(step, from + i, now)));
    setText(this.title, `The ${LANES} lanes of ${this.noun} ${warp}`);
    setText(this.about, this.#words());
  }

  #words() {
    if (!this.steps.length) return "No lane of it wrote an event, so what each did is not known.";
    return (
      "A row is a step that wrote an event. A filled lane wrote one; an outlined lane wrote none in this step: it "
      + "waited, or had nothing to do. Reading leaves no event, so it is not drawn."
    );
  }

  /** The last step that has begun; -1 before the first. */
  #stepAt(count) {
    let now = -1;
    while (now + 1 < this.steps.length && this.steps[now + 1][0] < count) ++now;
    return now;
  }

  #row(step, number, now) {
    const lanes = new Array(LANES).fill(null);
    for (const event of step) lanes[this.rows.lane[event] % LANES] ??= event;
    const cells = lanes.map((event) =>
      event === null ? element("i", { class: "wx-off" }) : bandSign(this.colours.get(this.events.kind[event]) ?? "minor"),
    );
    const many = counted(step.length, "lane");
    const more = step.length > 1 ? `, and ${grouped(step.length - 1)} more` : "";
    const turn = `${this.turn} ${this.rows.iteration[step[0]]}`;
    return element(
      "li",
      { "aria-current": number === now && "step" },
      element(
        "button",
        { type: "button", onclick: () => this.seek(step.at(-1) + 1) },
        element("span", { class: "wx-strip", role: "img", "aria-label": `${many} of ${LANES}` }, ...cells),
        element("span", { class: "wx-said" }, `${turn} · ${many}: ${this.sentence(step[0])}${more}`),
      ),
    );
  }
}
