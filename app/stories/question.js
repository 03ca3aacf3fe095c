// One question: buttons for the answers, and an explanation after any of them.

import { element, setText } from "../widgets/lib/dom.js";

export class QuestionBox {
  constructor(label) {
    this.label = label;
    this.ask = element("p", { class: "wy-ask" });
    this.hint = element("p", { class: "wy-hint" });
    this.answers = element("div", { class: "wy-answers", role: "group" });
    this.verdict = element("p", { class: "wy-verdict", role: "status" });
    this.root = element(
      "section",
      { class: "wy-question", "aria-label": "question", hidden: true },
      this.ask,
      this.answers,
      this.hint,
      this.verdict,
    );
  }

  /** Whether a question waits for its answer. */
  get open() {
    return !this.root.hidden && !this.answered;
  }

  show(question) {
    this.question = question;
    this.answered = false;
    this.root.hidden = !question;
    document.dispatchEvent(new CustomEvent("warplens:asked", { detail: question ?? null }));
    if (!question) return;
    setText(this.ask, question.ask);
    setText(this.verdict, "");
    this.verdict.className = "wy-verdict";
    setText(this.hint, question.vertices?.length ? "Click the vertex in the picture, or choose here." : "");
    this.answers.setAttribute("aria-label", question.ask);
    this.answers.replaceChildren(
      ...question.choices.map((text, index) =>
        element("button", { type: "button", class: "wy-button", onclick: () => this.#answer(index) }, text),
      ),
    );
  }

  /** Answers by a vertex of the picture; any vertex counts, not only the ones offered. */
  answerVertex(vertex) {
    const { vertices } = this.question;
    if (!vertices?.length) return;
    const index = vertices.indexOf(vertex);
    if (index >= 0) this.#answer(index);
    else this.#finish(-1, this.label(vertex) || String(vertex));
  }

  /** Shows the answer without one of the visitor's. */
  reveal() {
    this.#finish(null);
  }

  #answer(index) {
    if (this.open) this.#finish(index, this.question.choices[index]);
  }

  #finish(given, text = "") {
    const { choices, answer, because } = this.question;
    this.answered = true;
    const right = given === answer;
    [...this.answers.children].forEach((node, index) => {
      node.disabled = true;
      node.classList.toggle("wy-right", index === answer);
      node.classList.toggle("wy-wrong", index === given && !right);
    });
    setText(this.hint, "");
    this.verdict.classList.add(right ? "wy-yes" : "wy-no");
    const verdict = given === null ? `The answer: ${choices[answer]}.` : right ? "Right." : `Not ${text}: it is ${choices[answer]}.`;
    setText(this.verdict, `${verdict} ${because}`);
    document.dispatchEvent(new CustomEvent("warplens:answered", { detail: { given, answer, right } }));
  }
}
