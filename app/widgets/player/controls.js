// The player's controls: buttons, speed, loop and colour.

import { element, icon, setText } from "../lib/dom.js";
import { SPEEDS } from "./playback.js";
import { grouped } from "../lib/words.js";

export class Controls {
  /** `playback` is moved; `changed()` is called after every act; `setByWarp(bool)` recolours, if there
   *  are warps to colour by;
   *  `help` is a button that lists the keys; `turn` is the family's name of an iteration; `details`
   *  is the name of the events that can be folded. */
  constructor(playback, changed, setByWarp, help, turn, details) {
    this.playback = playback;
    const act = (action) => () => {
      action();
      changed();
    };
    const button = (name, label, action) =>
      element(
        "button",
        { type: "button", class: "wp-button", "aria-label": label, title: label, onclick: act(action) },
        icon(name),
      );
    this.toggle = button("play", "Play (space)", () => playback.toggle());
    this.toggle.classList.add("wp-play");
    this.speed = element(
      "select",
      {
        class: "wp-select",
        "aria-label": "speed",
        onchange: act(() => (playback.speed = Number(this.speed.value))),
      },
      ...SPEEDS.map((speed) => element("option", { value: speed }, speedText(speed))),
    );
    this.colour = element(
      "select",
      {
        class: "wp-select",
        "aria-label": "colour of vertices",
        onchange: () => setByWarp(this.colour.value === "warp"),
      },
      element("option", { value: "state" }, "colour: state"),
      element("option", { value: "warp" }, "colour: warp"),
    );
    this.colour.hidden = !setByWarp;
    this.loop = element(
      "select",
      {
        class: "wp-select",
        "aria-label": "loop",
        onchange: act(() => playback.setLoop(this.loop.value)),
      },
      element("option", { value: "off" }, "loop: off"),
      element("option", { value: "everything" }, "loop: everything"),
      element("option", { value: "iteration" }, `loop: this ${turn}`),
      element("option", { value: "part", hidden: true }, "loop: from [ to ]"),
    );
    this.details = element(
      "select",
      {
        class: "wp-select",
        "aria-label": details,
        onchange: act(() => (playback.folded = this.details.value === "folded")),
      },
      element("option", { value: "folded" }, `${details}: passed over`),
      element("option", { value: "shown" }, `${details}: one by one`),
    );
    this.details.hidden = !playback.fine;
    this.counter = element("div", { class: "wp-counter" });
    this.root = element(
      "div",
      { class: "wp-controls", role: "group", "aria-label": "replay" },
      element(
        "div",
        { class: "wp-buttons" },
        button("start", "To the start (Home)", () => playback.moveTo(0)),
        button("first", `Back one ${turn} (Shift ←)`, () => playback.leap(-1)),
        button("back", "Back one event (←)", () => playback.step(-1)),
        this.toggle,
        button("step", "On one event (→)", () => playback.step(1)),
        button("last", `On one ${turn} (Shift →)`, () => playback.leap(1)),
      ),
      this.counter,
      element("div", { class: "wp-choices" }, this.speed, this.loop, this.details, this.colour, help),
    );
    this.show();
  }

  /** `about` explains the details under the pointer. */
  show(details = "", about = "") {
    const { playback } = this;
    const wanted = playback.playing ? "pause" : "play";
    if (this.shown !== wanted) {
      this.shown = wanted;
      this.toggle.replaceChildren(icon(wanted));
      const label = playback.playing ? "Pause (space)" : "Play (space)";
      this.toggle.setAttribute("aria-label", label);
      this.toggle.title = label;
    }
    if (Number(this.speed.value) !== playback.speed) this.speed.value = String(playback.speed);
    this.loop.value = playback.loop?.name ?? "off";
    const place = `event ${grouped(playback.time)} of ${grouped(playback.length)}`;
    setText(this.counter, details ? `${place}\n${details}` : place);
    this.counter.title = details ? about : "";
  }
}

function speedText(speed) {
  if (speed < 1) return `1 event in ${1 / speed} s`;
  return speed === 1 ? "1 event/s" : `${grouped(speed)} events/s`;
}
