// Buttons, speed and keys.

import { element, icon, setText } from "./dom.js";
import { SPEEDS } from "./playback.js";
import { grouped } from "./words.js";

export class Controls {
  /** `playback` is moved; `changed()` is called after every act; `setByWarp(bool)` recolours. */
  constructor(playback, changed, setByWarp) {
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
    this.counter = element("div", { class: "wp-counter" });
    this.root = element(
      "div",
      { class: "wp-controls", role: "group", "aria-label": "replay" },
      element(
        "div",
        { class: "wp-buttons" },
        button("start", "To the start (Home)", () => playback.moveTo(0)),
        button("first", "Back one iteration (Shift ←)", () => playback.leap(-1)),
        button("back", "Back one event (←)", () => playback.step(-1)),
        this.toggle,
        button("step", "On one event (→)", () => playback.step(1)),
        button("last", "On one iteration (Shift →)", () => playback.leap(1)),
      ),
      this.counter,
      element("div", { class: "wp-choices" }, this.speed, this.colour),
    );
    this.show();
  }

  show(details = "") {
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
    const place = `event ${grouped(playback.time)} of ${grouped(playback.length)}`;
    setText(this.counter, details ? `${place} · ${details}` : place);
  }
}

function speedText(speed) {
  if (speed < 1) return `1 event in ${1 / speed} s`;
  return speed === 1 ? "1 event/s" : `${grouped(speed)} events/s`;
}

const KEYS = {
  " ": (playback) => playback.toggle(),
  k: (playback) => playback.toggle(),
  ArrowLeft: (playback, shift) => (shift ? playback.leap(-1) : playback.step(-1)),
  ArrowRight: (playback, shift) => (shift ? playback.leap(1) : playback.step(1)),
  PageUp: (playback) => playback.leap(-1),
  PageDown: (playback) => playback.leap(1),
  Home: (playback) => playback.moveTo(0),
  End: (playback) => playback.moveTo(playback.length),
  "+": (playback) => playback.faster(1),
  "=": (playback) => playback.faster(1),
  "-": (playback) => playback.faster(-1),
};

/** Acts on a key; true if it was one of the player's. */
export function actOnKey(event, playback) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { tagName, type } = event.target;
  if (tagName === "SELECT") return false;
  if (tagName === "BUTTON" && event.key === " ") return false; // it presses the button
  if (tagName === "INPUT" && type !== "range") return false;
  action(playback, event.shiftKey);
  event.preventDefault();
  return true;
}
