// A row of tabs that shows one of several panels; arrow keys move between tabs.

import { element, setText } from "./dom.js";

export class TabList {
  /** `label` names the row for screen readers; `chosen(index)` is called when a visitor chooses. */
  constructor(label, chosen) {
    this.chosen = chosen;
    this.key = `ws-tab-${Math.random().toString(36).slice(2)}`; // other bundles count alike
    this.root = element("div", {
      class: "wv-tabs",
      role: "tablist",
      "aria-label": label,
      onkeydown: (event) => this.#key(event),
    });
    this.buttons = [];
    this.panels = [];
  }

  /** The tabs, by their texts; those of `offered` that are false are hidden. */
  show(texts, offered = []) {
    while (this.buttons.length > texts.length) this.buttons.pop().remove();
    while (this.buttons.length < texts.length) this.#add(this.buttons.length);
    texts.forEach((text, k) => {
      setText(this.buttons[k], text);
      this.buttons[k].hidden = offered[k] === false;
    });
    this.root.hidden = this.#open.length < 1;
  }

  /** Shows panel `index` and hides the others; of a hidden tab, the first one that is offered. */
  select(index, panels = this.panels) {
    this.panels = panels;
    const there = this.#open;
    this.at = there.includes(index) ? index : (there[0] ?? -1);
    this.buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(k === this.at));
      button.tabIndex = k === this.at ? 0 : -1;
    });
    panels.forEach((panel, k) => {
      panel.id ||= `${this.key}-${k}-panel`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `${this.key}-${k}`);
      this.buttons[k]?.setAttribute("aria-controls", panel.id);
      panel.classList.toggle("wv-closed", k !== this.at);
    });
  }

  get #open() {
    return this.buttons.flatMap((button, k) => (button.hidden ? [] : [k]));
  }

  #add(k) {
    const onclick = () => this.#choose(k);
    const button = element("button", { type: "button", role: "tab", id: `${this.key}-${k}`, onclick });
    this.buttons.push(button);
    this.root.append(button);
  }

  #choose(k) {
    this.select(k);
    this.chosen(k);
  }

  #key(event) {
    const open = this.#open;
    const at = open.indexOf(this.at);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: open.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(open[(to + open.length) % open.length]);
    this.buttons[this.at].focus();
  }
}
