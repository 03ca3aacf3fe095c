// Stable roommates: all propose down their lists, hold the best proposal and cut what stands behind it;
// then rotations are found and eliminated.  Pictures: the table of all lists, and people on a circle.

import { KIND } from "./events.js";
import { PLACE, listsOf } from "./lists.js";
import { TableView } from "./tableview.js";
import { GraphView } from "warplens/graphview.js";
import { counted } from "warplens/words.js";

/** What is pinned and clicked at. */
export const NOUN = "person";

const READABLE = 16; // longer lists, or more of them, are not shown as a table
const [FREE, ASKING, PAIRED, ALONE, ROTATING, PARTY] = [0, 1, 2, 3, 4, 5];
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "ring", colour: "tried" },
  { look: "full", colour: "done" },
  { look: "hollow", colour: "minor" },
  { look: "ring", colour: "accent" },
  { look: "square", colour: "undone" },
];

class Circle extends GraphView {
  static TITLE = "Circle";
  static SIGN = "◯";
  static WEIGHTED = false;
  static LOOSE = false;
}

/** Small instances are a table first. */
export function picturesOf(meta, arrays) {
  if (!arrays["layout/x"]) return null;
  const table = meta.n <= READABLE && listsOf(arrays).longest <= READABLE;
  return table ? [TableView, Circle] : [Circle];
}

export function legend(kinds) {
  const entries = [
    { sign: "asks", text: "proposal that is held" },
    { sign: "holds", text: "holds the other's proposal" },
    { sign: "pair", text: "each proposes to the other" },
    { sign: "deleted", text: "deleted pair" },
  ];
  if (kinds.has(KIND.ALONE)) entries.push({ sign: "alone", text: "at the end of the list" });
  if (kinds.has(KIND.FIND)) entries.push({ sign: "rotation", text: "in the rotation" });
  if (kinds.has(KIND.PARTY)) entries.push({ sign: "party", text: "in an odd party" });
  return entries;
}

export function prepare(marks, _timeline, _meta, { iteration, kind }, arrays) {
  marks.lists = listsOf(arrays);
  marks.iterations = iteration;
  marks.proposals = new Int32Array(kind.length + 1);
  kind.forEach((one, i) => {
    marks.proposals[i + 1] = marks.proposals[i] + Number(one === KIND.PROPOSE || one === KIND.MOVE);
  });
}

/** Links are pairs who propose to each other, arrows the other proposals that are held. */
export function marksOf(state, marks) {
  const { lists, classes, time } = marks;
  const { rotation, party, alone } = state;
  const phase = time ? (marks.iterations?.[time - 1] ?? 0) : 0;
  const [links, arrows] = [[], []];
  const asking = new Uint8Array(classes.length); // 1: has a proposal that is held, 2: has a mate
  state.bid?.forEach((bid, entry) => {
    if (!bid) return;
    const [one, other] = [lists.owner[entry], lists.people[entry]];
    const mutual = lists.placeOf(entry, state) === PLACE.pair;
    asking[one] = Math.max(asking[one], mutual ? 2 : 1);
    if (!mutual) arrows.push(one, other);
    else if (one < other) links.push(one, other);
  });
  for (let p = 0; p < classes.length; ++p) {
    if (party[p] >= 0) classes[p] = PARTY;
    else if (asking[p] > 1) classes[p] = PAIRED;
    else if (phase && rotation[p] === phase) classes[p] = ROTATING;
    else classes[p] = alone[p] ? ALONE : asking[p] ? ASKING : FREE;
  }
  Object.assign(marks, { links, arrows, state });
  marks.measures = {
    phase,
    pairs: links.length / 2,
    proposals: marks.proposals?.[time ?? 0] ?? 0,
    parties: party.some((next) => next >= 0),
  };
}

export function measuresText({ phase, pairs, proposals, parties }) {
  const parts = [phase ? `phase 2, rotation ${phase}` : "phase 1", counted(proposals, "proposal")];
  parts.push(parties ? "no matching is stable" : counted(pairs, "pair"));
  return parts.join(" · ");
}

const pulse = (at, colour, begin = 0) => ({ type: "pulse", at, colour, begin, end: 1 });

export function effectsOf({ kind, a, b, c }, index) {
  const [one, other, third] = [a[index], b[index], c[index]];
  switch (kind[index]) {
    case KIND.PROPOSE:
    case KIND.MOVE:
      return [
        { type: "arrow", from: one, to: other, colour: "tried", begin: 0, end: 0.5, alone: true },
        ...(third >= 0
          ? [{ type: "break", from: third, to: other, colour: "undone", begin: 0.5, end: 1, alone: true }]
          : []),
        pulse(other, "tried", 0.5),
      ];
    case KIND.PASS:
      return [{ type: "bounce", from: one, to: other, colour: "minor", begin: 0, end: 1, alone: true }];
    case KIND.CUT:
      return [pulse(one, "undone")];
    case KIND.FIND:
      return [pulse(one, "accent"), { type: "arrow", from: one, to: other, colour: "accent", begin: 0, end: 0.6, alone: true }];
    case KIND.PARTY:
      return [{ type: "arrow", from: one, to: other, colour: "undone", begin: 0, end: 0.7, alone: true }];
    default:
      return [pulse(one, "minor")];
  }
}

/** The people at the places of some kind in a list. */
function those(person, place, { lists, state }, label) {
  const found = lists.neighbours(person).filter(([, rank]) => lists.placeOf(lists.offsets[person] + rank - 1, state) === place);
  return found.map(([other, rank]) => `${label(other)} (choice ${rank})`).join(", ");
}

export function factsOf({ bid, last, alone, rotation, party }, person, label, _number, marks) {
  const length = marks.lists.length(person);
  const lines = [];
  const say = (text, place) => {
    const who = those(person, place, marks, label);
    if (who) lines.push(`${text} ${who}`);
  };
  say("pair with", PLACE.pair);
  say("proposes to", PLACE.asks);
  say("holds the proposal of", PLACE.holds);
  if (alone[person]) lines.push("at the end of the list");
  if (rotation[person]) lines.push(`in rotation ${rotation[person]}`);
  if (party[person] >= 0) lines.push(`in an odd party, followed by ${label(party[person])}`);
  if (bid?.length && last[person] < length) lines.push(`list cut behind place ${last[person]} of ${length}`);
  return lines.length ? lines : [`${length} on the list`];
}

const SAID = {
  [PLACE.open]: "still on the list", [PLACE.deleted]: "deleted", [PLACE.pair]: "each proposes to the other",
  [PLACE.asks]: "holds its proposal", [PLACE.holds]: "proposes to it",
};

/** How the two rank each other, and what came of it so far. */
export function neighbourText(state, person, other, _rank, _label, _number, { lists }) {
  const entry = lists.entry(person, other);
  return `ranks it ${lists.rank(lists.mirror[entry])}, ${SAID[lists.placeOf(entry, state)]}`;
}

/** Runs are compared by the mates; the first one where there are several. */
export function comparable({ party }, { links, classes }) {
  const mate = new Int32Array(classes.length).fill(-1);
  for (let i = 0; i < links.length; i += 2) {
    const [one, other] = [links[i], links[i + 1]];
    if (mate[one] < 0) mate[one] = other;
    if (mate[other] < 0) mate[other] = one;
  }
  return { mate: mate.map((other, p) => (party[p] >= 0 ? -1 : other)) };
}

/** Who is let go proposes again, and another one is let go. */
export const CHAIN_NAME = "Chain of proposals";

/** For each event the one that it follows from, or -1. */
export function causesOf({ kind, a, c }, n) {
  const causes = new Int32Array(kind.length).fill(-1);
  const [lost, found] = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
  for (let i = 0; i < kind.length; ++i) {
    const one = a[i];
    if (kind[i] === KIND.FIND) found[one] = i;
    else if (kind[i] === KIND.MOVE || kind[i] === KIND.PARTY) causes[i] = found[one];
    else if (kind[i] === KIND.CUT) causes[i] = i - 1;
    else causes[i] = lost[one];
    if ((kind[i] === KIND.PROPOSE || kind[i] === KIND.MOVE) && c[i] >= 0) lost[c[i]] = i;
  }
  return causes;
}

export function chainLink({ kind, a, b, c }, index) {
  const asks = kind[index] === KIND.PROPOSE || kind[index] === KIND.MOVE;
  return { from: a[index], to: b[index] < 0 ? a[index] : b[index], lost: asks ? c[index] : -1 };
}

export function chainText({ kind, a, b }, index, label) {
  const [one, other] = [label(a[index]), b[index] < 0 ? "" : label(b[index])];
  switch (kind[index]) {
    case KIND.PROPOSE:
      return `${one} → ${other}`;
    case KIND.MOVE:
      return `${one} moves on to ${other}`;
    case KIND.PASS:
      return `${one} passes ${other}`;
    case KIND.CUT:
      return `${one} cuts behind ${other || "nothing"}`;
    case KIND.FIND:
      return `${one} in a rotation`;
    case KIND.PARTY:
      return `${one} before ${other}, odd party`;
    default:
      return `${one} at the end`;
  }
}
