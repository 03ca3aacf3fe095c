// Facts about the pinned vertex: its state, its neighbours, its events.

import { element, setText } from "../lib/dom.js";
import { Edges } from "./edges.js";
import { Neighbourhood } from "./neighbourhood.js";
import { capitalised, counted, shortNumber, vertexTitle } from "../lib/words.js";

const ROWS = 60; // neighbours that are listed, the heaviest first
const CLEAR = 150; // vertices; in larger graphs a neighbourhood is drawn by itself

export class Inspector {
  /** `acts`: pin(vertex), find(text), jump(direction), filter(vertex). */
  constructor(player, arrays, history, acts) {
    this.player = player;
    this.history = history;
    this.acts = acts;
    this.edges = arrays["edges/u"]
      ? new Edges(arrays["edges/u"], arrays["edges/v"], arrays["edges/weight"])
      : null;
    this.vertex = -1;
    this.#build();
    const large = player.meta.n > CLEAR && this.edges;
    this.near = large ? new Neighbourhood(player, (vertex) => acts.pin(vertex)) : null;
    if (this.near) this.body.prepend(this.near.root);
  }

  #build() {
    const { acts } = this;
    const noun = this.player.family.NOUN ?? "vertex";
    const button = (text, act) =>
      element("button", { type: "button", class: "wp-plain", onclick: act }, text);
    this.input = element("input", {
      type: "text",
      class: "wp-field",
      "aria-label": `${noun} to pin`,
      placeholder: "number or name",
      spellcheck: "false",
      autocomplete: "off",
      onkeydown: (event) => event.key === "Enter" && this.#ask(),
      onchange: () => this.#ask(),
    });
    this.title = element("b", { class: "wp-pinned", tabindex: -1 });
    this.hint = element("span", { class: "wp-hint" }, `Click a ${noun}, or name one, to pin:`);
    this.tools = element(
      "span",
      { class: "wp-tools" },
      button("its previous event", () => acts.jump(-1)),
      button("its next event", () => acts.jump(1)),
      button("filter the log", () => acts.filter(this.vertex)),
      button("unpin", () => acts.pin(-1)),
    );
    this.facts = element("p", { class: "wp-facts" });
    this.caption = element("h4");
    this.rows = element("tbody");
    const table = element("table", { class: "wp-neighbours" }, this.rows);
    const near = element("div", { class: "wp-list" }, table);
    const heading = element("h4", {}, "What happened to it");
    this.body = element(
      "div",
      { class: "wp-facts-body" },
      element("section", {}, this.caption, near),
      element("section", {}, heading, this.history.root),
    );
    const head = element("div", { class: "wp-inspector-head" }, this.title, this.hint, this.input, this.tools);
    this.root = element(
      "section",
      { class: "wp-inspector", "aria-label": `pinned ${noun}` },
      head,
      this.facts,
      this.body,
    );
    this.#toggle();
  }

  #ask() {
    const text = this.input.value.trim();
    const vertex = text ? this.acts.find(text) : -1;
    this.input.setAttribute("aria-invalid", Boolean(text) && vertex < 0);
    if (vertex >= 0 && vertex !== this.vertex) this.acts.pin(vertex);
  }

  #toggle() {
    const none = this.vertex < 0;
    this.hint.hidden = !none;
    for (const part of [this.title, this.tools, this.facts, this.body]) part.hidden = none;
  }

  /** Shows another vertex; `events`: numbers of its events. */
  pin(vertex, events) {
    this.vertex = vertex;
    this.#toggle();
    this.input.setAttribute("aria-invalid", false);
    this.input.value = vertex < 0 ? "" : this.player.label(vertex);
    if (vertex < 0) return;
    const { meta } = this.player;
    const title = vertexTitle(meta, vertex);
    setText(this.title, meta.names ? title : capitalised(title));
    const { lists } = this.player.marks; // ranked neighbours, if the family has preference lists
    this.neighbours = lists?.neighbours(vertex) ?? this.edges?.of(vertex) ?? [];
    const { length } = this.neighbours;
    const which = meta.rows === undefined ? `the ${ROWS} heaviest edges` : `${ROWS} of them`;
    const shown = length > ROWS ? `, ${which}` : "";
    setText(this.caption, this.edges ? `${counted(length, "neighbour")}${shown}` : "Its neighbours are not available here");
    this.lines = this.neighbours.slice(0, ROWS).map(([other, weight]) => this.#line(other, weight));
    this.rows.replaceChildren(...this.lines.map(({ row }) => row));
    this.history.root.hidden = !this.history.length;
    this.history.select(events);
    this.near?.choose(vertex, this.neighbours, this.edges);
  }

  #line(other, weight) {
    const now = element("td", { class: "wp-soft" });
    const go = () => {
      this.acts.pin(other);
      this.title.focus(); // the button is gone, and keys need a focused element
    };
    const name = element("button", { type: "button", onclick: go }, this.player.label(other));
    const weighted = this.player.meta.rows === undefined || this.player.marks.lists; // a pattern has none
    const said = weighted ? shortNumber(weight) : "";
    const row = element("tr", {}, element("td", {}, name), element("td", {}, said), now);
    return { row, other, weight, now };
  }

  /** Follows the clock. */
  show(time) {
    if (this.vertex < 0) return;
    const { family, timeline, label, marks } = this.player;
    setText(this.facts, family.factsOf(timeline.state, this.vertex, label, shortNumber, marks).join(" · "));
    for (const { other, weight, now } of this.lines) {
      setText(now, family.neighbourText?.(timeline.state, this.vertex, other, weight, label, shortNumber, marks) ?? "");
    }
    this.history.show(time);
  }
}
