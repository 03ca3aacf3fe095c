// The row that leads from a run's kernels to the playground: code, launch and arguments of the run.

import { element } from "../lib/dom.js";

export class EditRow {
  /** `ask()` has the kernels made ready, where that waits for a click. */
  constructor(ask) {
    this.ask = ask;
    this.asked = false;
    this.root = element("div", { class: "wc-edit" });
  }

  /** Shows {address, kernels: [{kernel, fragment}]}, {ask: true}, or {text}: why there is none. */
  show({ address, kernels, ask, text }) {
    if (kernels?.length) return this.#links(address, kernels);
    const button = element("button", { type: "button", class: "wc-go", onclick: () => this.#ask(button) }, "Edit this kernel");
    const parts = ask ? [button] : text ? [element("p", { class: "wc-small" }, text)] : [];
    this.root.replaceChildren(...parts);
    this.root.hidden = !parts.length;
  }

  #ask(button) {
    button.disabled = true;
    this.asked = true;
    this.ask();
  }

  #links(address, kernels) {
    const link = element("a", { class: "wc-go", target: "_blank", rel: "noopener" }, "Edit this kernel");
    const choose = () => {
      link.href = address + kernels[select.selectedIndex].fragment;
    };
    const select = element("select", { "aria-label": "Kernel to edit", onchange: choose }, ...kernels.map(({ kernel }) => element("option", {}, kernel)));
    choose();
    this.root.replaceChildren(link, select, element("span", { class: "wc-small" }, "opens its first launch"));
    this.root.hidden = false;
    if (!this.asked) return;
    this.asked = false;
    link.focus();
    link.click();
  }
}
