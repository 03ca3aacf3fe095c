// The blocking-pair game: each person is a card with a list, and the visitor chooses a man and a woman.
// The page process decides whether they block; this module has cards, keys and colours.

import { element, setText } from "warplens/dom.js";

export function render({ model, el }) {
  let game = null;
  let level = model.get("levels")[0]?.[0];
  const act = (content) => {
    if (content.kind === "level") level = content.value;
    model.send(content);
  };
  const deal = () => {
    const people = model.get("people");
    const held = el.contains(document.activeElement) ? document.activeElement.dataset.act : undefined;
    game = people?.names ? new PairGame(people, model.get("levels"), level, act) : null;
    el.replaceChildren(game ? game.root : element("p", { class: "wp pg-nothing" }, model.get("placeholder")));
    // The button that was pressed is gone; and keys need a focused element.
    if (game && held) game.root.querySelector(`[data-act="${held}"]`)?.focus({ preventScroll: true });
    showStatus();
  };
  const showStatus = () => {
    const status = model.get("status");
    if (game && status?.score) game.show(status);
  };
  model.on("change:people", deal);
  model.on("change:placeholder", deal);
  model.on("change:status", showStatus);
  deal();
}

const SIDES = ["Men", "Women"];
const SPOUSES = ["his wife", "her husband"];
const WIDEST = 150; // pixels for a card
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

class PairGame {
  constructor({ names, men, lists, couples, number }, levels, level, act) {
    Object.assign(this, { names, men, lists, act });
    this.chosen = [-1, -1];
    const partner = new Map(couples.flatMap(([man, woman]) => [[man, men + woman], [men + woman, man]]));
    this.cards = names.map((_, person) => this.#card(person, partner.get(person) ?? -1));
    this.said = element("div", { class: "pg-said", "aria-live": "polite" });
    this.score = element("p", { class: "pg-score" });
    this.root = element(
      "section",
      { class: "wp pg", "aria-label": `find the blocking pair, round ${number}` },
      this.#tools(levels, level),
      this.said,
      ...SIDES.map((side, k) => this.#rail(side, this.cards.slice(...(k ? [men] : [0, men])))),
      element(
        "p",
        { class: "pg-key" },
        "Every list begins with the best. ",
        element("span", { class: "pg-line pg-mine" }, "the partner"),
        " those above would be preferred.",
      ),
    );
  }

  #tools(levels, level) {
    const button = (kind, text) =>
      element("button", { type: "button", class: "wp-plain", "data-act": kind, onclick: () => this.act({ kind }) }, text);
    const choice = element(
      "select",
      { class: "wp-select", "aria-label": "difficulty", "data-act": "level", onchange: () => this.act({ kind: "level", value: choice.value }) },
      ...levels.map(([name, text]) => element("option", { value: name, selected: name === level }, text)),
    );
    this.next = button("round", "New round");
    return element("div", { class: "pg-tools" }, choice, button("hint", "Hint"), button("all", "Show all"), this.next, this.score);
  }

  /** One stop for the Tab key; arrows go from card to card. */
  #rail(side, cards) {
    cards.forEach((card, k) => (card.tabIndex = k ? -1 : 0));
    const onkeydown = (event) => {
      const at = cards.indexOf(document.activeElement);
      const to = { Home: 0, End: cards.length - 1 }[event.key] ?? at + (ARROWS[event.key] ?? NaN);
      if (at < 0 || !cards[to]) return;
      event.preventDefault();
      cards[at].tabIndex = -1;
      cards[to].tabIndex = 0;
      cards[to].focus();
    };
    const style = `max-width: ${cards.length * WIDEST}px`;
    const cardsOf = element("div", { class: "pg-rail", role: "group", "aria-label": side, style, onkeydown }, ...cards);
    return element("div", { class: "pg-side" }, element("h4", {}, side), cardsOf);
  }

  #card(person, partner) {
    const side = Number(person >= this.men);
    const list = this.lists[person].map((other) => (side ? other : other + this.men));
    const place = list.indexOf(partner);
    const name = this.names[person];
    const married = partner < 0 ? "single" : `${SPOUSES[side]} is ${this.names[partner]}, number ${place + 1} of ${list.length}`;
    const lines = list.map((other, k) =>
      element("span", { class: k === place ? "pg-line pg-mine" : partner >= 0 && k > place ? "pg-line pg-less" : "pg-line", "data-person": other }, this.#short(other)),
    );
    return element(
      "button",
      {
        type: "button",
        class: partner < 0 ? "pg-card pg-single" : "pg-card",
        "aria-pressed": "false",
        "aria-label": `${name}, ${married}. The list: ${list.map((other) => this.names[other]).join(", ")}.`,
        onclick: () => this.#choose(side, person),
      },
      element("span", { class: "pg-head" }, name),
      element("span", { class: "pg-partner" }, partner < 0 ? "single" : `♥ ${this.#short(partner)}`),
      element("span", { class: "pg-list" }, ...lines),
    );
  }

  #short(person) {
    return this.names[person].replace(/^(\w)\w* (\d+)$/, "$1$2");
  }

  #choose(side, person) {
    this.chosen[side] = this.chosen[side] === person ? -1 : person;
    this.#paint();
    const [man, woman] = this.chosen;
    if (man >= 0 && woman >= 0) this.act({ kind: "pick", man, woman: woman - this.men });
    else this.#showWhatIsMissing(side, person);
  }

  #showWhatIsMissing(side, person) {
    const one = this.chosen[side] < 0 ? "" : `${this.names[person]} is chosen. `;
    const missing = this.chosen.every((other) => other < 0) ? "a man and a woman" : this.chosen[0] < 0 ? "a man" : "a woman";
    this.#say("", `${one}Choose ${missing}.`);
  }

  /** Shows the chosen people, and their places in the others' lists. */
  #paint() {
    this.cards.forEach((card, person) => {
      card.setAttribute("aria-pressed", String(this.chosen.includes(person)));
      const other = this.chosen[person < this.men ? 1 : 0];
      for (const line of card.querySelectorAll(".pg-line")) {
        line.classList.toggle("pg-about", Number(line.dataset.person) === other);
      }
    });
  }

  #say(style, text) {
    this.said.className = `pg-said ${style}`;
    this.said.replaceChildren(...text.split("\n").map((line) => element("p", {}, line)));
  }

  show({ style, text, hint, found, score, over }) {
    setText(this.score, score);
    this.#say(style, text);
    const known = new Set(found.flatMap(([man, woman]) => [man, woman + this.men]));
    this.cards.forEach((card, person) => {
      card.classList.toggle("pg-found", known.has(person));
      card.classList.toggle("pg-hint", person === hint);
    });
    this.next.classList.toggle("pg-next", over);
  }
}
