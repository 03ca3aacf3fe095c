// The window with speaker notes: what happens now, why, what to say, and the time since it opened.
// It outlives a reload of the page, and one of its own.

import { element, setText } from "../lib/dom.js";

const NAME = "warplens-notes"; // of the window, and of the time of its opening, which a reload keeps
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
    const since = Number(stored());
    if (since) this.open(since); // the page was loaded again beside its notes
  }

  /** Opens the window, or takes the one that is open; `since` is the time of its opening. */
  open(since = Date.now()) {
    this.window = globalThis.open("", NAME, "popup,width=760,height=640");
    store(this.window ? since : "");
    if (!this.window) return; // the browser allows no windows
    this.#build(this.window.document);
    this.opened = since;
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
    if (!this.window) return;
    if (this.window.closed) return this.#forget();
    const { document: page } = this.window;
    if (this.parts.title.ownerDocument !== page) this.#build(page); // the window was loaded again
    const { stop, parts } = this;
    const seconds = Math.floor((Date.now() - this.opened) / 1000);
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

  #forget() {
    clearInterval(this.timer);
    store("");
    this.window = null;
  }

  remove() {
    this.window?.close();
    this.#forget();
    for (const undo of this.undo) undo();
  }
}

function stored() {
  try {
    return sessionStorage.getItem(NAME);
  } catch { /* not allowed */ }
}

function store(since) {
  try {
    sessionStorage.setItem(NAME, since);
  } catch { /* not allowed */ }
}
