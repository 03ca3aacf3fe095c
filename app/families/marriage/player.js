// Stable marriage: one side proposes down its lists, the other one keeps the best so far.  The run
// defines the proposing side; the picture shows all preference lists, see rosterview.js.

import { KIND } from "./events.js";
import { PLACE, listsOf } from "./preferences.js";
import { RosterView } from "./rosterview.js";
import { counted, grouped } from "warplens/words.js";

/** Events that end a place in a proposer's list, and what becomes of that place. */
const FATES = { [KIND.ENGAGE]: PLACE.left, [KIND.REFUSE]: PLACE.refused, [KIND.SKIP]: PLACE.passed };

/** Events whose c loses a partner. */
const DISPLACES = new Set([KIND.ENGAGE, KIND.LEAVE]);

/** What is pinned and clicked at. */
export const NOUN = "person";

const [SINGLE, ENGAGED, ALONE, ASKING] = [0, 1, 2, 3];
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "full", colour: "done", full: true },
  { look: "hollow", colour: "minor", dashed: true },
  { look: "ring", colour: "tried" },
];

/** Messages of larger instances have no lists: the picture has a cell for each person. */
export function picturesOf(_meta, arrays) {
  return arrays["layout/x"] && arrays["lists/people"] ? [RosterView] : null;
}

export function legend(kinds) {
  const entries = [
    { sign: "free", text: "single" },
    { sign: "engaged", text: "engaged" },
    { sign: "kept", text: "the partner's place in the list" },
    { sign: "refused", text: "refused" },
    { sign: "left", text: "left for a better partner" },
  ];
  if (kinds.has(KIND.PROPOSE)) entries.splice(3, 0, { sign: "asked", text: "waits for an answer" });
  if (kinds.has(KIND.SKIP)) entries.push({ sign: "passed", text: "passed by: would refuse" });
  entries.push({ sign: "closed", text: "would be refused from now on" });
  if (kinds.has(KIND.ALONE)) entries.push({ sign: "alone", text: "at the end of the list" });
  return entries;
}

/** How every place ends that was tried, and the number of proposals after each event. */
export function prepare(marks, _timeline, meta, events, arrays) {
  const byWomen = meta.proposers === "women";
  marks.men = meta.rows;
  marks.proposes = (person) => person < meta.rows !== byWomen;
  marks.places = arrays?.["lists/places"];
  if (arrays?.["lists/people"]) {
    marks.lists = listsOf(arrays);
    marks.fates = fatesOf(marks.lists, events);
  }
  const { kind } = events;
  const inRounds = kind.includes(KIND.PROPOSE);
  marks.proposals = new Int32Array(kind.length + 1);
  for (let i = 0; i < kind.length; ++i) {
    const counts = inRounds ? kind[i] === KIND.PROPOSE : kind[i] === KIND.ENGAGE || kind[i] === KIND.REFUSE;
    marks.proposals[i + 1] = marks.proposals[i] + Number(counts);
  }
}

function fatesOf(lists, { kind, a, b, value }) {
  const fates = new Uint8Array(lists.people.length);
  for (let i = 0; i < kind.length; ++i) {
    const entry = lists.offsets[a[i]] + Math.round(value[i]) - 1;
    if (FATES[kind[i]] && lists.people[entry] === b[i]) fates[entry] = FATES[kind[i]];
  }
  return fates;
}

/** Links are engagements, arrows proposals of a round that wait for their answer. */
export function marksOf(state, marks) {
  const { mate, place, aim, alone } = state;
  const { classes, proposes } = marks;
  const { links, arrows } = (marks.room ??= {
    links: new Int32Array(2 * mate.length),
    arrows: new Int32Array(2 * mate.length),
  });
  const sums = [0, 0]; // of the ranks that men, and women, give their partners
  let [linked, pointing, several] = [0, 0, -1];
  for (let v = 0; v < mate.length; ++v) {
    const other = mate[v];
    classes[v] = other >= 0 ? ENGAGED : aim[v] >= 0 ? ASKING : alone[v] ? ALONE : SINGLE;
    if (other >= 0 && mate[other] < 0) several = other;
    if (other >= 0) sums[Number(v >= marks.men)] += place[v];
    if (other >= 0 && v < marks.men) {
      links[linked++] = v;
      links[linked++] = other;
    }
    if (aim[v] >= 0 && proposes(v)) {
      arrows[pointing++] = v;
      arrows[pointing++] = aim[v];
    }
  }
  // A person with several partners is named by all of them.
  if (several >= 0) for (let i = 1; i < linked; i += 2) classes[links[i]] = ENGAGED;
  marks.links = links.subarray(0, linked);
  marks.arrows = arrows.subarray(0, pointing);
  Object.assign(marks, { mate, place, aim, held: state.held, version: (marks.version ?? 0) + 1 });
  if (state.held && marks.lists) seat(state.held, marks, sums);
  const at = marks.time ?? 0;
  const pairs = marks.links.length / 2;
  marks.measures = {
    pairs,
    most: mostPairs(marks, mate.length),
    proposals: marks.proposals?.[at] ?? 0,
    ranks: sums.map((sum) => sum / pairs),
  };
}

/** The links of people who may have several partners; `sums` become the sums of all ranks. */
function seat(held, marks, sums) {
  const { lists, classes } = marks;
  const room = (marks.seats ??= new Int32Array(2 * held.length));
  let linked = 0;
  sums.fill(0);
  for (let man = 0; man < marks.men; ++man) {
    for (let e = lists.offsets[man]; e < lists.offsets[man + 1]; ++e) {
      if (!held[e]) continue;
      const woman = lists.people[e];
      room[linked++] = man;
      room[linked++] = woman;
      classes[man] = classes[woman] = ENGAGED;
      sums[0] += e - lists.offsets[man] + 1;
      sums[1] += lists.mirror[e] - lists.offsets[woman] + 1;
    }
  }
  marks.links = room.subarray(0, linked);
}

/** The largest number of pairs that the places of both sides have room for. */
function mostPairs({ men, places }, people) {
  if (!places) return Math.min(men, people - men);
  const sum = (side) => side.reduce((total, room) => total + room, 0);
  return Math.min(sum(places.subarray(0, men)), sum(places.subarray(men)));
}

export function measuresText({ pairs, most, proposals, ranks }) {
  const parts = [`${grouped(pairs)} of ${grouped(most)} engaged`];
  if (pairs) parts.push(`mean rank: men ${ranks[0].toFixed(1)}, women ${ranks[1].toFixed(1)}`);
  parts.push(counted(proposals, "proposal"));
  return parts.join(" · ");
}

const fly = (from, to, end = 0.45) => ({ type: "arrow", from, to, colour: "tried", begin: 0, end, alone: true });
const pulse = (at, colour, begin = 0.45) => ({ type: "pulse", at, colour, begin, end: 1 });
const turned = (from, to, colour, faint = false) => {
  return { type: "bounce", from, to, colour, begin: 0, end: 1, alone: true, faint };
};

export function effectsOf(events, index) {
  const { kind, a, b, c } = events;
  const [one, other, third] = [a[index], b[index], c[index]];
  events.inRounds ??= kind.includes(KIND.PROPOSE); // the answer comes later: nothing flies then
  switch (kind[index]) {
    case KIND.ENGAGE:
      return [
        ...(third >= 0
          ? [{ type: "break", from: third, to: other, colour: "undone", begin: 0.42, end: 1, alone: true }]
          : []),
        ...(events.inRounds ? [] : [fly(one, other)]),
        { type: "bond", from: one, to: other, colour: "done", begin: 0.45, end: 0.85, alone: true },
        pulse(other, "done"),
        ...(third >= 0 ? [pulse(third, "undone", 0.5)] : []),
      ];
    case KIND.LEAVE:
      return [
        { type: "break", from: third, to: other, colour: "undone", begin: 0, end: 0.8, alone: true },
        pulse(third, "undone", 0.2),
      ];
    case KIND.REFUSE:
      return [turned(one, other, "undone"), pulse(other, "undone")];
    case KIND.SKIP:
      return [turned(one, other, "minor", true)];
    case KIND.FAILED:
      return [turned(one, other, "undone", true), pulse(other, "undone")];
    case KIND.PROPOSE:
      return [fly(one, other, 0.9)];
    case KIND.ALONE:
      return [pulse(one, "minor", 0)];
    default:
      return [];
  }
}

const ORDINALS = { one: "st", two: "nd", few: "rd", other: "th" };
const RULES = new Intl.PluralRules("en", { type: "ordinal" });
const nth = (number) => `${number}${ORDINALS[RULES.select(number)]}`;

export function factsOf({ mate, place, aim, alone, held }, person, label, _number, marks) {
  const other = mate[person];
  const room = marks?.places?.[person] ?? 1;
  if (held && marks?.lists && room > 1) {
    const partners = marks.lists.partners(person, held);
    const who = partners.map(([one]) => label(one)).join(", ");
    return [`${partners.length} of ${room} places taken`, ...(who ? [`engaged to ${who}`] : [])];
  }
  const lines = [other < 0 ? "single" : `engaged to ${label(other)}`];
  const length = marks?.lists?.length(person);
  const of = length ? ` of ${length}` : "";
  if (other >= 0) lines[0] += `, the ${nth(place[person])}${of} on the list`;
  else if (alone[person]) lines.push("was refused by all on the list");
  else if (aim[person] >= 0) lines.push(`waits for an answer from ${label(aim[person])}`);
  else if (place[person]) lines.push(`has tried ${place[person]}${of} on the list`);
  else if (length) lines.push(`${length} on the list`);
  return lines;
}

const SAID = {
  [PLACE.refused]: "refused", [PLACE.passed]: "passed by", [PLACE.left]: "left for a better partner",
  [PLACE.asked]: "waits for an answer", [PLACE.partner]: "the partner",
};

/** How the two rank each other, and what came of it so far. */
export function neighbourText({ mate, held }, person, other, _rank, label, _number, marks) {
  const { lists } = marks ?? {};
  const parts = [];
  if (lists) parts.push(`their choice number ${lists.rank(other, person)}`);
  const seated = held && lists?.partners(person, held).some(([one]) => one === other);
  if (seated || mate[person] === other) parts.push(SAID[PLACE.partner]);
  else parts.push(mate[other] >= 0 ? `engaged to ${label(mate[other])}` : "single");
  return parts.join(", ");
}

/** A displaced person proposes again, and may displace the next one. */
export const CHAIN_NAME = "Chain of displacements";

/** For each event the displacement that caused it, or -1. */
export function causesOf({ kind, a, c }, n) {
  const causes = new Int32Array(kind.length).fill(-1);
  const [lost, engaged] = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
  for (let i = 0; i < kind.length; ++i) {
    if (kind[i] === KIND.LEAVE) {
      causes[i] = engaged[a[i]];
      lost[c[i]] = i;
      continue;
    }
    causes[i] = lost[a[i]];
    if (kind[i] !== KIND.ENGAGE) continue;
    lost[a[i]] = -1;
    engaged[a[i]] = i;
    if (c[i] >= 0) lost[c[i]] = i;
  }
  return causes;
}

export function chainLink({ kind, a, b, c }, index) {
  const alone = kind[index] === KIND.ALONE;
  return { from: a[index], to: alone ? a[index] : b[index], lost: DISPLACES.has(kind[index]) ? c[index] : -1 };
}

export function chainText({ kind, a, b, c }, index, label) {
  const [one, other] = [label(a[index]), label(b[index])];
  switch (kind[index]) {
    case KIND.ENGAGE:
      return `${one} ♥ ${other}`;
    case KIND.LEAVE:
      return `${other} leaves ${label(c[index])}`;
    case KIND.ALONE:
      return `${one} stays alone`;
    case KIND.REFUSE:
      return `${other} refuses ${one}`;
    default:
      return `${one} – ${other}`;
  }
}
