// The kernels' source: a file at a time, coloured; beside every line a bar of the chosen measure;
// below, an explanation of the line's readings.

import { element, setText } from "../lib/dom.js";

const HINT = "Point at a line with a bar, or walk through them with the arrow keys, to read what it means.";

export class SourcePane {
  constructor(sources, askProfile) {
    this.profile = null;
    this.measure = "sectors";
    this.places = {};
    this.files = new Map(sources.map(({ name, lines }) => [name, this.#file(name, lines)]));
    this.button = element("button", { type: "button", class: "wc-go", onclick: askProfile }, "Profile these kernels");
    this.note = element("p", { class: "wc-small", "aria-live": "polite" });
    this.tabs = element("div", { class: "wc-tabs", role: "group", "aria-label": "Kernel file" });
    this.measures = element("div", { class: "wc-tabs", role: "group", "aria-label": "Measure" });
    this.measures.hidden = true;
    this.summary = element("p", { class: "wc-summary" });
    this.scroller = element("div", {
      class: "wc-source",
      tabindex: 0,
      role: "region",
      "aria-label": "Kernel source",
      onkeydown: (event) => this.#key(event),
      onpointerover: (event) => this.#point(event),
      onclick: (event) => this.#pin(event),
    });
    this.notes = element("div", { class: "wc-notes", "aria-live": "polite" });
    this.races = element("div", { class: "wc-races" });
    this.root = element(
      "section",
      { class: "wc-pane wc-kernels" },
      element("div", { class: "wc-head" }, element("h3", {}, "The kernels' own source"), this.tabs),
      element("div", { class: "wc-ask" }, this.button, this.note),
      this.summary,
      this.measures,
      this.scroller,
      this.notes,
      this.races,
    );
    for (const name of this.files.keys()) {
      const open = () => {
        this.chosen = true;
        this.#open(name);
      };
      this.tabs.append(element("button", { type: "button", onclick: open, "data-name": name }, name));
    }
    this.#open(this.files.keys().next().value);
  }

  /** Scrolls to the line of the current event: a pane that was not shown has no place to scroll to. */
  reveal() {
    this.#scrollTo(this.pinned ?? this.lit);
  }

  remove() {
    this.root.remove();
  }

  offer({ ready, busy, text }) {
    this.button.disabled = !ready;
    setText(this.button, busy ? "Profiling…" : "Profile these kernels");
    setText(this.note, text);
  }

  /** Shows a profile; an empty one removes the bars. */
  show(profile) {
    this.profile = profile?.files ? profile : null;
    this.root.classList.toggle("wc-profiled", Boolean(this.profile));
    setText(this.summary, this.profile?.summary ?? "");
    this.measures.hidden = !this.profile;
    this.measures.replaceChildren(...(this.profile?.measures ?? []).map((measure) => this.#measure(measure)));
    this.#bars();
    this.#races();
    this.pinned = null;
    this.#explain(this.#hottest());
    this.#scrollTo(this.shown);
  }

  /** Marks the line in which the current event happens: {file: line}. Follows it to another file
      until a file is chosen, or its profile is looked at. */
  mark(places) {
    if (places === this.places) return;
    this.places = places;
    const there = Object.keys(places).find((name) => this.files.has(name));
    const free = !this.chosen && !this.profile && !this.scroller.matches(":hover, :focus");
    if (free && there && !(this.file.name in places)) this.#open(there);
    else this.#mark();
  }

  #file(name, lines) {
    const rows = lines.map((pieces, index) => {
      const text = pieces.map(([kind, piece]) => (kind ? element("span", { class: `wc-${kind}` }, piece) : piece));
      const bar = element("span", { class: "wc-bar", "aria-hidden": "true" }, element("i"), element("b"));
      const number = element("span", { class: "wc-number", "aria-hidden": "true" }, String(index + 1));
      const code = element("code", {}, ...text);
      return element("div", { class: "wc-row", "data-line": index + 1 }, number, bar, code);
    });
    return { name, rows, root: element("div", { class: "wc-file" }, ...rows) };
  }

  #open(name) {
    this.file = this.files.get(name);
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", tab.dataset.name === name);
    this.scroller.replaceChildren(this.file.root);
    this.scroller.scrollTop = 0;
    this.pinned = null;
    this.#bars();
    this.#mark();
    this.#explain(this.#hottest());
    this.#scrollTo(this.shown);
  }

  #measure({ name, label, about }) {
    const choose = () => {
      this.measure = name;
      for (const tab of this.measures.children) tab.setAttribute("aria-pressed", tab.dataset.name === name);
      this.#bars();
      this.#explain(this.pinned ?? this.#hottest());
      this.#scrollTo(this.shown);
    };
    const pressed = String(name === this.measure);
    return element("button", { type: "button", title: about, onclick: choose, "data-name": name, "aria-pressed": pressed }, label);
  }

  #found(row) {
    return row ? this.profile?.files[this.file.name]?.[row.dataset.line] : undefined;
  }

  #bars() {
    for (const row of this.file.rows) {
      const found = this.#found(row);
      const reading = found?.readings[this.measure];
      row.classList.toggle("wc-known", Boolean(found));
      const bar = row.children[1];
      bar.classList.toggle("wc-empty", !reading);
      const [text, badness, length] = reading ?? ["", 0, 0];
      bar.style.setProperty("--bad", `${Math.round(100 * badness)}%`);
      bar.style.setProperty("--long", length);
      setText(bar.lastChild, text);
    }
  }

  #hottest() {
    let best = null;
    let most = 0;
    for (const row of this.file.rows) {
      const length = this.#found(row)?.readings[this.measure]?.[2] ?? 0;
      if (length > most) [best, most] = [row, length];
    }
    return best;
  }

  #mark() {
    this.lit?.removeAttribute("aria-current");
    this.lit = this.file.rows[this.places[this.file.name] - 1] ?? null;
    this.lit?.setAttribute("aria-current", "step");
    if (!this.pinned && !this.scroller.matches(":hover, :focus")) this.#scrollTo(this.lit);
  }

  /** Scrolls the source, never the page, and only if the line is out of sight. */
  #scrollTo(row) {
    if (!row) return;
    const { scroller } = this;
    const top = row.offsetTop;
    const above = top < scroller.scrollTop + 20;
    const below = top + 40 > scroller.scrollTop + scroller.clientHeight;
    if (above || below) scroller.scrollTop = top - scroller.clientHeight / 3;
  }

  #point(event) {
    if (this.pinned) return;
    const row = event.target.closest(".wc-row");
    if (this.#found(row)) this.#explain(row);
  }

  #pin(event) {
    const row = event.target.closest(".wc-row");
    this.pinned = this.#found(row) && row !== this.pinned ? row : null;
    this.#explain(this.pinned ?? this.shown);
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      this.pinned = null;
      this.#explain(null);
      return;
    }
    if (!step || !this.profile) return;
    const { rows } = this.file;
    let at = this.shown ? rows.indexOf(this.shown) + step : step > 0 ? 0 : rows.length - 1;
    while (rows[at] && !this.#found(rows[at])?.readings[this.measure]) at += step;
    if (rows[at]) {
      this.pinned = rows[at];
      this.#explain(rows[at]);
      this.#scrollTo(rows[at]);
    }
    event.preventDefault();
  }

  #explain(row) {
    this.shown?.classList.remove("wc-shown");
    const found = this.#found(row);
    this.shown = found ? row : null;
    this.shown?.classList.add("wc-shown");
    if (!found) {
      this.notes.replaceChildren(...(this.profile ? [element("p", { class: "wc-small" }, HINT)] : []));
      return;
    }
    const mine = (item) => item.measure === this.measure;
    const ordered = [...found.sentences.filter(mine), ...found.sentences.filter((item) => !mine(item))];
    const title = element("h4", {}, `${this.file.name}, line ${row.dataset.line}`);
    this.notes.replaceChildren(title, ...ordered.map((item) => element("p", { class: mine(item) ? "wc-first" : "" }, item.text)));
    this.notes.scrollTop = 0;
  }

  #races() {
    const races = this.profile?.races ?? [];
    if (!races.length) {
      this.races.replaceChildren();
      return;
    }
    const items = races.map((race) => element("li", {}, race));
    this.races.replaceChildren(element("h4", {}, "Data races"), element("ul", {}, ...items));
  }
}
