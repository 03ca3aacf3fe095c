// Present mode: the page's picture and pseudo-code on the full screen, for a projector and a clicker.

import { element } from "../lib/dom.js";
import { SpeakerNotes } from "./notes.js";

/** Names in a picture are 11.5 pixels high; on a screen of this size they become at least 20. */
const SCREEN = { width: 1920, height: 1080 };
const ONE = 2.1;
const SEVERAL = 1.76;
const KEY = "F2";
const VIEW = "warplens-lecturer"; // whether the browser shows the lecturer's tools
const STEPS = { PageDown: 1, PageUp: -1 };
const FIELDS = "textarea, select, dialog, input:not([type=range]):not([type=checkbox])";
const HALO_STAYS = 3000; // milliseconds without a move of the pointer

export function render({ model, el }) {
  const present = new Present(el);
  const notes = new SpeakerNotes(() => model.get("notes"), (by) => present.step(by));
  const button = (text, onclick, more = {}) =>
    element("button", { type: "button", class: "wo-button", onclick, ...more }, text);
  el.append(
    element(
      "div",
      { class: "wo" },
      lecturerSwitch(button),
      button(`Present (${KEY})`, () => present.toggle(), { "aria-keyshortcuts": KEY }),
      button("Speaker notes", () => notes.open()),
    ),
  );
  const onNotes = () => notes.show();
  model.on("change:notes", onNotes);
  return () => {
    model.off("change:notes", onNotes);
    notes.remove();
    present.remove();
  };
}

/** Shows the lecturer's tools, or hides them; a browser that stores nothing forgets the choice. */
function lecturerSwitch(button) {
  const { classList } = document.body;
  try {
    if (localStorage.getItem(VIEW)) classList.add("ws-lecturer");
  } catch { /* not allowed */ }
  const one = button("Lecturer's view", () => {
    const on = classList.toggle("ws-lecturer");
    one.setAttribute("aria-pressed", on);
    try {
      localStorage.setItem(VIEW, on ? "1" : "");
    } catch { /* not allowed */ }
  });
  one.classList.add("wo-view");
  one.setAttribute("aria-pressed", classList.contains("ws-lecturer"));
  return one;
}

class Present {
  constructor(near) {
    this.near = near;
    this.on = false;
    this.halo = element("div", { class: "wo-halo", "aria-hidden": "true", hidden: true });
    this.leave = element(
      "button",
      { type: "button", class: "wo-leave", onclick: () => this.stop() },
      "Leave (Esc)",
    );
    const listen = (target, name, act, options) => {
      target.addEventListener(name, act, options);
      return () => target.removeEventListener(name, act, options);
    };
    this.undo = [
      // Before the player, whose own keys step in another way; a story has seen the key by now.
      listen(document, "keydown", (event) => this.#key(event), true),
      listen(document, "fullscreenchange", () => !document.fullscreenElement && this.stop()),
      listen(document, "pointermove", (event) => this.#point(event)),
      listen(globalThis, "resize", () => this.on && this.#scale()),
    ];
  }

  toggle() {
    if (this.on) this.stop();
    else this.start();
  }

  start() {
    this.on = true;
    this.#scale();
    document.body.classList.add("ws-presenting");
    document.body.append(this.halo, this.leave);
    scrollTo(0, 0);
    // Where the browser refuses, the mode fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.#view?.root.focus({ preventScroll: true });
  }

  stop() {
    if (!this.on) return;
    this.on = false;
    document.body.classList.remove("ws-presenting");
    document.documentElement.style.removeProperty("--wp-scale");
    this.halo.remove();
    this.leave.remove();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.near.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Moves the replay, or all replays of the page, by one event. */
  step(by) {
    const view = this.#view;
    if (view?.clock?.step) view.clock.step(by);
    else if (view) {
      view.playback.step(by);
      view.requestFrame();
    }
  }

  /** The replays on one clock, else the player. */
  get #view() {
    const { players = [], together } = globalThis.__warplens ?? {};
    if (together?.root.isConnected) return together;
    return players.find(({ root }) => root.isConnected && root.closest(".ws-stage"));
  }

  #scale() {
    const share = Math.min(innerWidth / SCREEN.width, innerHeight / SCREEN.height);
    const several = (this.#view?.views?.length ?? 1) > 1;
    const scale = Math.max(1, share * (several ? SEVERAL : ONE));
    document.documentElement.style.setProperty("--wp-scale", scale.toFixed(3));
  }

  #key(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === KEY) this.toggle();
    else if (!this.on || target.closest?.(FIELDS)) return;
    else if (key === "Escape") this.stop();
    else if (key in STEPS) this.step(STEPS[key]);
    // The start button of a clicker; the page would be loaded again, and its run lost.
    else if (key !== "F5") return;
    event.preventDefault();
    event.stopPropagation();
  }

  #point({ clientX, clientY }) {
    if (!this.on) return;
    this.halo.hidden = false;
    this.halo.style.transform = `translate(${clientX}px, ${clientY}px)`;
    document.body.classList.add("wo-pointing");
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.halo.hidden = true;
      document.body.classList.remove("wo-pointing");
    }, HALO_STAYS);
  }

  remove() {
    this.stop();
    clearTimeout(this.rest);
    for (const undo of this.undo) undo();
  }
}
