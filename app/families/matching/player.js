// The matching family: the looks of its states and events.  The rest of the player has only links,
// arrows, classes of vertices and effects.

import { KIND } from "./events.js";
import { counted } from "warplens/words.js";

/** How vertices look: plain, with a ring, filled, hollow; `colour` is one of the theme's. */
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "ring", colour: "tried" },
  { look: "full", colour: "done" },
  { look: "hollow", colour: "minor" },
];
const [FREE, PROPOSING, MATCHED, ALONE] = STYLES.keys();

/** Entries of the legend for a record with these kinds of events. */
export function legend(kinds) {
  const pointing = kinds.has(KIND.POINT);
  const entries = [
    { sign: "free", text: "free" },
    { sign: "proposing", text: pointing ? "points to its candidate" : "proposes, not returned yet" },
    { sign: "matched", links: true, text: pointing ? "matched: they point to each other" : "matched: each is the other's suitor" },
    { sign: "alone", text: "no candidate left" },
  ];
  if (kinds.has(KIND.DISPLACE)) entries.push({ sign: "displaced", text: "displaced" });
  return entries;
}

/** Fills `marks` = {links, arrows (pairs of vertices), classes} from a state. */
export function marksOf(state, marks) {
  const { suitor, target, exhausted } = state;
  // Allocated once: new arrays in every frame would cost much garbage collection.
  const { links, arrows } = (marks.room ??= {
    links: new Int32Array(suitor.length + 2),
    arrows: new Int32Array(2 * suitor.length),
  });
  let [linked, pointing] = [0, 0];
  let weight = 0;
  for (let v = 0; v < suitor.length; ++v) {
    const s = suitor[v];
    const t = target[v];
    const mutual = s >= 0 && suitor[s] === v;
    if (mutual && v < s) {
      links[linked++] = v;
      links[linked++] = s;
      weight += state.bid[v];
    }
    if (t >= 0 && !(mutual && s === t)) {
      arrows[pointing++] = v;
      arrows[pointing++] = t;
    }
    marks.classes[v] = mutual ? MATCHED : t >= 0 ? PROPOSING : exhausted[v] ? ALONE : FREE;
  }
  marks.links = links.subarray(0, linked);
  marks.arrows = arrows.subarray(0, pointing);
  marks.measures = { matched: linked / 2, weight };
}

export function measuresText({ matched, weight }, number) {
  return `${counted(matched, "pair")} matched, weight ${number(weight, 5)}`;
}

/** Effects of one event: what moves on the screen, in parts of the event's time. */
export function effectsOf(events, index) {
  const kind = events.kind[index];
  const [a, b, c] = [events.a[index], events.b[index], events.c[index]];
  const proposal = { type: "arrow", from: a, to: b, colour: "tried", begin: 0, end: 0.5 };
  switch (kind) {
    case KIND.PROPOSE_FREE:
    case KIND.POINT:
      return [proposal, { type: "pulse", at: b, colour: "tried", begin: 0.45, end: 1 }];
    case KIND.DISPLACE:
      return [
        { type: "break", from: c, to: b, colour: "undone", begin: 0.4, end: 1 },
        proposal,
        { type: "pulse", at: b, colour: "tried", begin: 0.45, end: 1 },
        { type: "pulse", at: c, colour: "undone", begin: 0.5, end: 1 },
      ];
    case KIND.OUTBID:
      return [
        { type: "bounce", from: a, to: b, colour: "minor", begin: 0, end: 1 },
        { type: "pulse", at: c, colour: "minor", begin: 0.45, end: 1 },
      ];
    case KIND.EXHAUSTED:
      return [{ type: "pulse", at: a, colour: "minor", begin: 0, end: 1 }];
    case KIND.MOVE:
      return [{ type: "pulse", at: a, colour: "accent", begin: 0, end: 1 }];
    case KIND.MATCH:
      return [
        { type: "bond", from: a, to: b, colour: "done", begin: 0, end: 0.7 },
        { type: "pulse", at: a, colour: "done", begin: 0.3, end: 1 },
        { type: "pulse", at: b, colour: "done", begin: 0.3, end: 1 },
      ];
    default:
      return [];
  }
}

/** Lines about one vertex, for the tip beside the pointer. */
export function factsOf(state, vertex, label, number) {
  const lines = [];
  const suitor = state.suitor[vertex];
  const target = state.target[vertex];
  if (suitor >= 0 && state.suitor[suitor] === vertex) {
    lines.push(`matched with ${label(suitor)} (${number(state.bid[vertex])})`);
  } else {
    if (suitor >= 0) lines.push(`suitor ${label(suitor)}, bid ${number(state.bid[vertex])}`);
    else lines.push("no suitor yet");
    if (target >= 0) lines.push(`has chosen ${label(target)}`);
    else lines.push(state.exhausted[vertex] ? "no candidate left" : "has no choice yet");
  }
  if (state.warp[vertex] >= 0) lines.push(`held by warp ${state.warp[vertex]}`);
  return lines;
}

/** A vertex that is displaced has to propose again: that is a suitor chain. */
export const CHAIN_NAME = "Suitor chain";

/** For each event the displacement that caused it, or -1. */
export function causesOf(events, n) {
  const { kind, a, c } = events;
  const causes = new Int32Array(kind.length).fill(-1);
  const displacedAt = new Int32Array(n).fill(-1);
  for (let i = 0; i < kind.length; ++i) {
    const installs = kind[i] === KIND.PROPOSE_FREE || kind[i] === KIND.DISPLACE;
    if (!installs && kind[i] !== KIND.OUTBID && kind[i] !== KIND.EXHAUSTED) continue;
    causes[i] = displacedAt[a[i]];
    if (installs) displacedAt[a[i]] = -1;
    if (kind[i] === KIND.DISPLACE) displacedAt[c[i]] = i;
  }
  return causes;
}

/** One link of a chain: the proposer, its target, and the displaced vertex. */
export function chainLink(events, index) {
  const { kind, a, b, c } = events;
  const alone = kind[index] === KIND.EXHAUSTED;
  const lost = kind[index] === KIND.DISPLACE ? c[index] : -1;
  return { from: a[index], to: alone ? a[index] : b[index], lost };
}

export function chainText(events, index, label) {
  const { from, to, lost } = chainLink(events, index);
  if (from === to) return `${label(from)} finds no candidate`;
  if (events.kind[index] === KIND.OUTBID) return `${label(from)} fails at ${label(to)}`;
  return lost >= 0 ? `${label(from)} takes ${label(to)} from ${label(lost)}` : `${label(from)} gets ${label(to)}`;
}

/** What a neighbour at the other end of an edge of this weight is to a vertex now. */
export function neighbourText(state, vertex, other, weight, label, number) {
  const { suitor, bid } = state;
  const holder = suitor[other];
  if (holder === vertex) return suitor[vertex] === other ? "matched with it" : "holds its bid";
  const courts = suitor[vertex] === other ? "bids for it; " : "";
  if (holder < 0) return `${courts}has no suitor`;
  const held = `holds ${number(bid[other])} from ${label(holder)}`;
  const verdict = weight > bid[other] ? "less than this edge" : weight < bid[other] ? "more than this edge" : "as much as this edge";
  return `${courts}${held}, ${verdict}`;
}
