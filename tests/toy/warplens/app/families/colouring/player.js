// Graph colouring: what its state and its events look like.

import { KIND } from "./events.js";
import { CATEGORIES } from "warplens/theme.js";
import { grouped } from "warplens/words.js";

/** A vertex without a colour is plain; then every hue in three patterns. */
const PATTERNS = ["full", "spotted", "barred"];
const COLOURED = PATTERNS.flatMap((look) => CATEGORIES.map((_, i) => ({ look, colour: `category-${i}` })));
export const STYLES = [{ look: "plain", colour: "vertex-line" }, ...COLOURED];

export function legend(_kinds) {
  return [{ sign: "free", text: "no colour yet" }];
}

export function marksOf({ colour }, marks) {
  let [coloured, colours] = [0, 0];
  for (let v = 0; v < colour.length; ++v) {
    marks.classes[v] = colour[v] < 0 ? 0 : 1 + (colour[v] % COLOURED.length);
    if (colour[v] >= 0) coloured += 1;
    colours = Math.max(colours, colour[v] + 1);
  }
  marks.links = [];
  marks.arrows = [];
  marks.measures = { coloured, colours };
}

export function measuresText({ coloured, colours }) {
  const vertices = coloured === 1 ? "vertex" : "vertices";
  return `${grouped(coloured)} ${vertices} in ${grouped(colours)} ${colours === 1 ? "colour" : "colours"}`;
}

export function effectsOf(events, index) {
  if (events.kind[index] !== KIND.TAKE) return [];
  return [{ type: "pulse", at: events.a[index], colour: "done", begin: 0, end: 1 }];
}

export function factsOf({ colour }, vertex) {
  return [colour[vertex] < 0 ? "has no colour yet" : `colour ${colour[vertex]}`];
}

export function neighbourText({ colour }, _vertex, other) {
  return colour[other] < 0 ? "no colour yet" : `colour ${colour[other]}`;
}
