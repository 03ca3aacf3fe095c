// The filter of the event log: kind, vertex and warp of the events to list and to jump to.

import { element, icon, setText } from "../lib/dom.js";
import { counted, grouped } from "../lib/words.js";

export class EventFilter {
  /** `kinds`: [{kind, text, count}]; `noun`: the name of a vertex; `find(text)` returns a vertex or -1. */
  constructor({ kinds, noun, total, find, changed, jump }) {
    this.find = find;
    this.total = total;
    this.changed = changed;
    const options = kinds.map(({ kind, text, count }) =>
      element("option", { value: kind }, `${text} (${grouped(count)})`),
    );
    const report = () => this.#report();
    this.kind = element(
      "select",
      { class: "wp-select", "aria-label": "kind of event", onchange: report },
      element("option", { value: -1 }, "every kind"),
      ...options,
    );
    this.vertex = field(`${noun} of the events`, `any ${noun}`, report);
    this.warp = field("warp of the events", "any warp", report);
    this.warp.inputMode = "numeric";
    this.count = element("span", { class: "wp-found", role: "status" });
    this.clear = element(
      "button",
      { type: "button", class: "wp-plain", onclick: () => this.set({}) },
      "show all",
    );
    const button = (name, label, way) =>
      element(
        "button",
        { type: "button", class: "wp-button", "aria-label": label, title: label, onclick: () => jump(way) },
        icon(name),
      );
    this.root = element(
      "div",
      { class: "wp-filter", role: "group", "aria-label": "which events" },
      this.kind,
      this.vertex,
      this.warp,
      button("previous", "Previous such event (p)", -1),
      button("next", "Next such event (n)", 1),
      this.count,
      this.clear,
    );
  }

  /** The choice: {kind, vertex, warp}, -1 for any; null if a field holds nothing known. */
  get choice() {
    const vertexText = this.vertex.value.trim();
    const warpText = this.warp.value.trim();
    const vertex = vertexText ? this.find(vertexText) : -1;
    const warp = /^\d+$/.test(warpText) ? Number(warpText) : -1;
    mark(this.vertex, vertexText && vertex < 0);
    mark(this.warp, warpText && warp < 0);
    if ((vertexText && vertex < 0) || (warpText && warp < 0)) return null;
    return { kind: Number(this.kind.value), vertex, warp };
  }

  /** Fills in a choice; missing fields mean any. */
  set({ kind = -1, vertex = "", warp = "" }) {
    this.kind.value = String(kind);
    this.vertex.value = vertex;
    this.warp.value = warp;
    this.#report();
  }

  showCount(count) {
    const all = count === this.total;
    setText(this.count, all ? counted(count, "event") : `${grouped(count)} of ${counted(this.total, "event")}`);
    this.clear.hidden = all;
  }

  #report() {
    this.changed(this.choice);
  }
}

function field(label, placeholder, oninput) {
  return element("input", {
    type: "text",
    class: "wp-field",
    "aria-label": label,
    placeholder,
    spellcheck: "false",
    autocomplete: "off",
    oninput,
  });
}

function mark(input, wrong) {
  input.setAttribute("aria-invalid", Boolean(wrong));
}
