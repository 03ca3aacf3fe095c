// Chains of events: each event was caused by the one before; the family declares the causes.

import { element, setText } from "./dom.js";

const SHOWN = 8; // links of a chain in the text; the picture shows all

/** Numbers of the events that lead to `event`, the first of them first. */
export function chainOf(causes, event) {
  const chain = [];
  for (let i = event; i >= 0; i = causes[i]) chain.push(i);
  return chain.reverse();
}

/** The chain of the current event as text; a click on a link goes to its event. */
export class ChainBar {
  /** `word`: the family's name of a chain; `text(event)`: one link as text. */
  constructor(word, text, go) {
    this.text = text;
    this.go = go;
    this.word = word;
    this.head = element("b");
    this.links = element("span");
    this.root = element("div", { class: "wp-chain", role: "group", "aria-label": word }, this.head, this.links);
  }

  show(chain) {
    this.root.classList.toggle("wp-no-chain", chain.length < 2);
    const key = chain.join();
    if (key === this.shown) return;
    this.shown = key;
    if (chain.length < 2) return;
    setText(this.head, `${this.word}, ${chain.length} links`);
    const parts = chain.slice(-SHOWN).map((event) => {
      const go = () => this.go(event + 1);
      return element("button", { type: "button", onclick: go }, this.text(event));
    });
    const more = chain.length - parts.length;
    this.links.replaceChildren(...(more > 0 ? [element("i", {}, `${more} before`)] : []), ...parts);
    this.links.scrollLeft = this.links.scrollWidth;
  }
}

/** Highlights the links of a chain, numbered; `steps`: [{from, to, lost}], lost may be -1. */
export function drawChain(context, steps, { X, Y, radius, theme }) {
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = theme.accent;
  context.globalAlpha = 0.32;
  context.lineWidth = Math.max(7, radius * 0.9);
  context.beginPath();
  for (const { from, to, lost } of steps) {
    context.moveTo(X[from], Y[from]);
    context.lineTo(X[to], Y[to]);
    if (lost >= 0) context.lineTo(X[lost], Y[lost]);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** Numbers in the middle of a chain's links, drawn above everything; a link within a vertex has it
 *  beside the vertex, whose own number stays free. */
export function drawChainNumbers(context, steps, { X, Y, radius, theme }) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `700 10px ${theme.font}`;
  const first = Math.max(0, steps.length - 30); // more numbers cover each other
  for (let i = first; i < steps.length; ++i) {
    const { from, to } = steps[i];
    const aside = from === to ? radius + 5 : 0;
    const [x, y] = [(X[from] + X[to]) / 2 + aside, (Y[from] + Y[to]) / 2 - aside];
    context.beginPath();
    context.arc(x, y, 7.5, 0, 2 * Math.PI);
    context.fillStyle = theme.accent;
    context.fill();
    context.fillStyle = theme.ground;
    context.fillText(i + 1, x, y + 0.5);
  }
}
