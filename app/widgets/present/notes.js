// The window with speaker notes: what happens now, why, what to say, and the time since it opened.

import { element, setText } from "../lib/dom.js";

const STEPS = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 };
const STYLE = `
  :root { color-scheme: light dark; font: 20px/1.5 system-ui, sans-serif; }
  body { margin: 0; padding: 20px 26px; display: grid; gap: 14px; background: light-dark(#fff, #12161c); color: light-dark(#18202c, #e7ebf1); }
  header { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: baseline; font-size: 16px; }
  h1 { flex: 1; margin: 0; font-size: 19px; }
  h2 { margin: 0 0 2px; font-size: 14px; color: light-dark(#5b6675, #9aa5b5); }
  p { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
  section[hidden] { display: none; }
  .say p { font-size: 24px; }
  button { font: inherit; font-size: 16px; padding: 6px 16px; }
  time { font-variant-numeric: tabular-nums; }
`;

export class SpeakerNotes {
  /** `own()` gives the page's notes; `step(by)` moves the replay. */
  constructor(own, step) {
    this.own = own;
    this.step = step;
    this.stop = null; // of a story
    this.happened = "";
    this.why = "";
    const heard = {
      "warplens:stop": ({ detail }) => (this.stop = detail),
      "warplens:moved": ({ detail }) => {
        this.happened = detail.text;
        this.place = detail.event;
      },
      "warplens:explained": ({ detail }) => (this.why = detail.why),
    };
    this.undo = Object.entries(heard).map(([name, take]) => {
      const listen = (event) => {
        take(event);
        this.show();
      };
      globalThis.addEventListener(name, listen);
      return () => globalThis.removeEventListener(name, listen);
    });
  }

  open() {
    this.window = globalThis.open("", "warplens-notes", "popup,width=760,height=640");
    if (!this.window) return; // the browser allows no windows
    this.#build(this.window.document);
    this.opened = performance.now();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.show(), 1000);
    this.show();
  }

  #build(page) {
    page.title = "Speaker notes · Warplens";
    page.documentElement.lang = "en";
    const part = (name, title) => {
      const text = element("p");
      const root = element("section", { class: name }, element("h2", {}, title), text);
      return { root, text };
    };
    const button = (text, by) => element("button", { type: "button", onclick: () => this.#move(by) }, text);
    this.parts = {
      title: element("h1"),
      place: element("span"),
      time: element("time"),
      caption: part("caption", "This stop"),
      say: part("say", "Say"),
      now: part("now", "What happens"),
      why: part("why", "Why"),
    };
    const { title, place, time, caption, say, now, why } = this.parts;
    page.head.replaceChildren(page.adoptNode(element("style", {}, STYLE)));
    page.body.replaceChildren(
      ...[
        element("header", {}, title, place, time, button("Back", -1), button("Next", 1)),
        ...[caption, say, now, why].map(({ root }) => root),
      ].map((node) => page.adoptNode(node)),
    );
    page.onkeydown = (event) => {
      const by = STEPS[event.key];
      if (!by) return;
      event.preventDefault();
      this.#move(by);
    };
  }

  /** A stop of the story, or an event. */
  #move(by) {
    if (!this.stop) return this.step(by);
    const key = by > 0 ? "PageDown" : "PageUp";
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }

  show() {
    if (!this.window || this.window.closed) return void clearInterval(this.timer);
    const { stop, parts } = this;
    const seconds = Math.floor((performance.now() - this.opened) / 1000);
    setText(parts.title, stop?.title ?? document.title);
    setText(parts.place, stop ? `stop ${stop.stop} of ${stop.stops}` : this.place ? `event ${this.place}` : "");
    setText(parts.time, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    const together = globalThis.__warplens?.together;
    const now = together?.root.isConnected ? together.words.textContent : this.happened;
    const texts = { caption: stop?.caption, say: stop?.notes || this.own(), now, why: this.why };
    for (const [name, text] of Object.entries(texts)) {
      parts[name].root.hidden = !text;
      setText(parts[name].text, text ?? "");
    }
  }

  remove() {
    clearInterval(this.timer);
    this.window?.close();
    for (const undo of this.undo) undo();
  }
}
