// The editor where CodeMirror is not on the site: a plain field, whose marks stand below it in words.

import { element } from "../widgets/lib/dom.js";

export class PlainEditor {
  /** As of Editor: `changed()` after every change of the text; `run()` at Ctrl+Enter. */
  constructor(parent, { changed, run }) {
    const keyed = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && run();
    this.field = element("textarea", { class: "pl-plain", rows: 18, spellcheck: "false", "aria-label": "CUDA code", oninput: changed, onkeydown: keyed });
    this.marks = element("ul", { class: "pl-found" });
    parent.append(this.field, this.marks);
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
  }

  reveal() {} // the marks stand below the field

  focus() {
    this.field.focus();
  }

  mark(marks) {
    this.marks.replaceChildren(...marks.map(({ line, text }) => element("li", {}, `line ${line}: ${text}`)));
  }

  goTo(line) {
    const before = this.text.split("\n").slice(0, line - 1).join("\n").length;
    this.focus();
    this.field.setSelectionRange(before + (line > 1), before + (line > 1));
  }
}
