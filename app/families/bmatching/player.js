// Weighted b-matching: every vertex keeps its best offers in a stack.  Arrows are offers that are
// held at their heads only; links are mutual: each end holds the offer of the other.

import { KIND } from "./events.js";
import { Offers } from "./offers.js";
import { StackView } from "./stackview.js";
import { counted, grouped } from "warplens/words.js";

export const View = StackView;

/** How vertices look where there is no room for a stack or a pie. */
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "ring", colour: "tried" },
  { look: "spotted", colour: "done" },
  { look: "full", colour: "done" },
  { look: "hollow", colour: "minor" },
];
const [FREE, HOLDING, MATCHED, FULL, ALONE] = STYLES.keys();

export function legend(kinds) {
  const entries = [
    { sign: "stack", text: "a vertex is a stack of b slots, best offer on top" },
    { sign: "offer", text: "holds this offer; length: weight" },
    { sign: "mutual", text: "mutual offer" },
    { sign: "edge", text: "matched: each end holds the offer of the other", links: true },
    { sign: "proposal", text: "offer that is held at its head only" },
  ];
  if (kinds.has(KIND.DROP)) entries.push({ sign: "fallen", text: "falls out of the stack" });
  return [...entries, { sign: "pie", text: "small vertices: the share of mutual slots" }];
}

/** The offers of the graph, and which events make an offer mutual. */
export function prepare(marks, timeline, meta, events, arrays) {
  const { state } = timeline;
  marks.offers = new Offers(arrays, state);
  marks.capacity = state.capacity;
  marks.ran = timeline.length > 0 || Boolean(state.mates);
  marks.counted = 0;
  events.closes = closing(events, meta.n);
}

/** For each event whether its offer is answered already, so that an edge becomes matched. */
function closing({ kind, a, b, c }, n) {
  const held = new Set();
  return Uint8Array.from(kind, (code, i) => {
    if (code === KIND.DROP) held.delete(b[i] * n + c[i]);
    if (code !== KIND.PROPOSE) return 0;
    held.add(b[i] * n + a[i]);
    return held.has(a[i] * n + b[i]) ? 1 : 0;
  });
}

export function marksOf(state, marks) {
  const { offers, capacity } = marks;
  const links = [];
  const arrows = [];
  offers.tally(state, (u, v) => links.push(u, v), (u, v) => arrows.push(u, v));
  const { count, mutual } = offers;
  let full = 0;
  for (let v = 0; v < count.length; ++v) {
    const filled = capacity[v] > 0 && mutual[v] >= capacity[v];
    full += filled;
    marks.classes[v] = filled ? FULL : mutual[v] ? MATCHED : count[v] ? HOLDING : state.exhausted[v] ? ALONE : FREE;
  }
  marks.links = links;
  marks.arrows = arrows;
  marks.state = state;
  marks.counted += 1; // the picture's stacks are of this count
  marks.measures = { matched: links.length / 2, offers: arrows.length / 2, full, weight: marks.objective };
}

export function measuresText({ matched, offers, full, weight }, number) {
  const parts = [`${counted(matched, "edge")} matched`];
  if (offers) parts.push(`${counted(offers, "offer")} one-way`);
  parts.push(`${grouped(full)} full`, `weight ${number(weight ?? 0, 5)}`);
  return parts.join(" · ");
}

const pulse = (at, colour, begin, end = 1) => ({ type: "pulse", at, colour, begin, end });

export function effectsOf(events, index) {
  const [a, b, c] = [events.a[index], events.b[index], events.c[index]];
  switch (events.kind[index]) {
    case KIND.PROPOSE: {
      const arrow = { type: "arrow", from: a, to: b, colour: "tried", alone: true, begin: 0, end: 0.5 };
      const lands = { type: "land", at: b, offer: a, begin: 0.4, end: 1 };
      if (!events.closes[index]) return [arrow, lands, pulse(b, "tried", 0.45)];
      const bond = { type: "bond", from: a, to: b, colour: "done", begin: 0.45, end: 0.9 };
      return [{ ...arrow, end: 0.45 }, bond, lands, pulse(b, "done", 0.45)];
    }
    case KIND.DROP:
      return [
        { type: "break", from: c, to: b, colour: "undone", begin: 0, end: 0.8 },
        { type: "fall", at: b, offer: c, weight: events.value[index], begin: 0.05, end: 1 },
        pulse(c, "undone", 0.4),
      ];
    case KIND.OUTBID:
      return [
        { type: "bounce", from: a, to: b, colour: "minor", begin: 0, end: 1 },
        pulse(b, "minor", 0.45),
      ];
    case KIND.EXHAUSTED:
      return [pulse(a, "minor", 0)];
    default:
      return [];
  }
}

/** The content of one stack in words. */
export function factsOf(state, vertex, label, number, { offers, capacity, ran }) {
  if (!ran) return ["no run yet"];
  const room = capacity[vertex];
  const stack = offers.stack(state, vertex);
  const lines = [`holds ${stack.length} of ${counted(room, "offer")}, ${offers.mutual[vertex]} mutual`];
  const shown = stack.slice(0, 6).map(({ from, weight, mutual }) => `${label(from)} ${number(weight)}${mutual ? " ↔" : ""}`);
  if (stack.length > 6) shown.push(`${stack.length - 6} more`);
  if (shown.length) lines.push(shown.join(", "));
  if (stack.length && stack.length >= room) lines.push(`takes only offers above ${number(stack.at(-1).weight)}`);
  if (state.exhausted[vertex]) lines.push("no candidate left");
  if (state.warp[vertex] >= 0) lines.push(`worked on by warp ${state.warp[vertex]}`);
  return lines;
}

export function neighbourText(state, vertex, other, weight, label, number, { offers, capacity }) {
  const [mine, its] = [offers.holds(state, other, vertex), offers.holds(state, vertex, other)];
  if (mine && its) return "matched with it";
  if (mine) return "holds its offer";
  const courts = its ? "its offer is held here; " : "";
  const stack = offers.stack(state, other);
  if (stack.length < capacity[other]) return `${courts}has room`;
  if (!stack.length) return "may have no mate";
  const worst = stack.at(-1);
  const verdict = weight > worst.weight ? "less than this edge" : weight < worst.weight ? "more than this edge" : "as much as this edge";
  return `${courts}its worst offer is ${number(worst.weight)} from ${label(worst.from)}, ${verdict}`;
}

/** An offer that falls out makes its proposer try again: a chain. */
export const CHAIN_NAME = "Chain of offers";

/** For each event the one that caused it, or -1.  A fall follows the offer that pushed; what falls out
 *  is proposed again by the same lane at once, or by anyone in a later iteration. */
export function causesOf({ kind, a, b, c, iteration, warp, lane }, n) {
  const causes = new Int32Array(kind.length).fill(-1);
  const waiting = Array.from({ length: n }, () => []);
  const taken = new Map(); // the last offer that was taken, by holder and proposer
  const same = (i) => (j) => warp[j] === warp[i] && lane[j] === lane[i];
  for (let i = 0; i < kind.length; ++i) {
    if (kind[i] === KIND.DROP) {
      causes[i] = taken.get(b[i] * n + a[i]) ?? -1;
      waiting[c[i]].push(i);
      continue;
    }
    const owed = waiting[a[i]];
    let place = owed.findLastIndex(same(i));
    if (place < 0) place = owed.findIndex((j) => iteration[j] < iteration[i]);
    if (place >= 0) [causes[i]] = owed.splice(place, 1);
    if (kind[i] === KIND.PROPOSE) taken.set(b[i] * n + a[i], i);
    if (kind[i] === KIND.OUTBID) owed.push(i); // it looks further
  }
  return causes;
}

export function chainLink({ kind, a, b, c }, index) {
  const lost = kind[index] === KIND.DROP ? c[index] : -1;
  return { from: a[index], to: kind[index] === KIND.EXHAUSTED ? a[index] : b[index], lost };
}

export function chainText({ kind, a, b, c }, index, label) {
  switch (kind[index]) {
    case KIND.PROPOSE:
      return `${label(b[index])} takes ${label(a[index])}`;
    case KIND.DROP:
      return `${label(c[index])} falls out at ${label(b[index])}`;
    case KIND.OUTBID:
      return `${label(b[index])} refuses ${label(a[index])}`;
    default:
      return `${label(a[index])} finds no candidate`;
  }
}

/** The offers of each vertex as one number, so that two runs can be compared vertex by vertex. */
export function comparable(state, { offers }) {
  const { indptr, indices } = offers;
  const held = offers.of(state);
  const own = new Int32Array(indptr.length - 1);
  if (held.length) {
    for (let v = 0; v < own.length; ++v) {
      for (let e = indptr[v]; e < indptr[v + 1]; ++e) if (held[e]) own[v] = (own[v] + mixed(indices[e])) | 0;
    }
  }
  return { ...state, held: own };
}

/** 32 bits of a number that look random: the finaliser of MurmurHash3 (Appleby). */
function mixed(number) {
  let x = (number + 1) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
