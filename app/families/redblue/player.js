// Red/blue matching: rounds of four sub-steps, colour, propose, respond, match.  Blue vertices are
// squares and red ones discs, so that they differ without colour, too.

import { KIND } from "./events.js";
import { counted, grouped } from "warplens/words.js";

const [BLUE, RED, MATCHED, DEAD] = [0, 1, 2, 3];
const SUB_STEPS = ["colour", "propose", "respond", "match"];

/** Colours of this family, from player.css. */
export const COLOURS = ["blue", "red"];

/** By the field `colour` of the state, which begins at -1. */
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "square", colour: "blue" },
  { look: "full", colour: "red" },
  { look: "full", colour: "done" },
  { look: "hollow", colour: "minor" },
];

const ANSWER = 3; // the tint of a response: the third colour of the sequence is a red one

export function legend(_kinds) {
  return [
    { sign: "free", text: "no colour yet" },
    { sign: "blue", text: "blue: proposes" },
    { sign: "red", text: "red: responds" },
    { sign: "proposal", text: "proposal" },
    { sign: "response", text: "response, to the one it chose" },
    { sign: "matched", text: "matched", links: true },
    { sign: "alone", text: "dead: no live neighbour is left" },
  ];
}

/** The iteration of the run after each event, four for each round. */
export function prepare(marks, _timeline, meta, { iteration }) {
  marks.iterations = iteration;
  marks.tints = new Uint8Array(meta.n);
}

/** Links are matched pairs, arrows choices; those of red vertices have a colour of their own. */
export function marksOf(state, marks) {
  const { colour, proposal, mate } = state;
  const { classes, tints } = marks;
  const { links, arrows } = (marks.room ??= {
    links: new Int32Array(colour.length + 2),
    arrows: new Int32Array(2 * colour.length),
  });
  const counts = [0, 0, 0, 0];
  let [linked, pointing] = [0, 0];
  for (let v = 0; v < colour.length; ++v) {
    classes[v] = colour[v] + 1;
    tints[v] = colour[v] === BLUE ? ANSWER : 0; // a vertex that a red one has chosen
    if (colour[v] >= 0) counts[colour[v]] += 1;
    if (mate[v] > v) {
      links[linked++] = v;
      links[linked++] = mate[v];
    }
    if (proposal[v] >= 0) {
      arrows[pointing++] = v;
      arrows[pointing++] = proposal[v];
    }
  }
  marks.links = links.subarray(0, linked);
  marks.arrows = arrows.subarray(0, pointing);
  marks.measures = {
    iteration: marks.time ? (marks.iterations?.[marks.time - 1] ?? -1) : -1,
    blue: counts[BLUE],
    red: counts[RED],
    matched: counts[MATCHED] / 2,
    dead: counts[DEAD],
    weight: marks.objective,
  };
}

export function measuresText({ iteration, blue, red, matched, dead, weight }, number) {
  const parts = [];
  if (iteration >= 0) parts.push(`round ${Math.floor(iteration / 4) + 1}: ${SUB_STEPS[iteration % 4]}`);
  if (blue + red) parts.push(`${grouped(blue)} blue, ${grouped(red)} red`);
  parts.push(counted(matched, "pair"));
  if (dead) parts.push(`${grouped(dead)} dead`);
  if (matched && weight !== undefined) parts.push(`weight ${number(weight, 4)}`);
  return parts.join(" · ");
}

const pulse = (at, colour, begin = 0) => ({ type: "pulse", at, colour, begin, end: 1 });

export function effectsOf(events, index) {
  const [a, b] = [events.a[index], events.b[index]];
  switch (events.kind[index]) {
    case KIND.COLOUR:
      return [pulse(a, b === BLUE ? "blue" : "red")];
    case KIND.PROPOSE:
    case KIND.RESPOND: {
      const colour = events.kind[index] === KIND.PROPOSE ? "tried" : "sequence-2";
      const arrow = { type: "arrow", from: a, to: b, colour, alone: true, begin: 0, end: 0.5 };
      return [arrow, pulse(b, colour, 0.45)];
    }
    case KIND.MATCH:
    case KIND.TAKE:
      return [
        { type: "bond", from: a, to: b, colour: "done", begin: 0, end: 0.7 },
        pulse(a, "done", 0.3),
        pulse(b, "done", 0.3),
      ];
    case KIND.DIE:
      return [pulse(a, "minor")];
    default:
      return [];
  }
}

export function factsOf(state, vertex, label) {
  const [colour, chosen] = [state.colour[vertex], state.proposal[vertex]];
  switch (colour) {
    case BLUE:
      return ["blue", chosen >= 0 ? `proposes to ${label(chosen)}` : "has no proposal"];
    case RED:
      return ["red", chosen >= 0 ? `responds to ${label(chosen)}` : "has not responded"];
    case MATCHED:
      return [`matched with ${label(state.mate[vertex])}`];
    case DEAD:
      return ["dead: no neighbour was left"];
    default:
      return ["has no colour yet"];
  }
}

export function neighbourText(state, vertex, other, _weight, label) {
  const { colour, proposal, mate } = state;
  if (mate[other] === vertex) return "matched with it";
  if (mate[other] >= 0) return `matched with ${label(mate[other])}`;
  if (colour[other] === DEAD) return "dead";
  if (colour[other] < 0) return "no colour yet";
  const parts = [colour[other] === BLUE ? "blue" : "red"];
  if (proposal[other] === vertex) parts.push(colour[other] === BLUE ? "proposes to it" : "responds to it");
  else if (proposal[other] >= 0) parts.push(`has chosen ${label(proposal[other])}`);
  if (proposal[vertex] === other) parts.push("chosen by it");
  else if (colour[vertex] === colour[other]) parts.push("of the same colour");
  return parts.join(", ");
}

/** A proposal, the response to it, and the match that follows. */
export const CHAIN_NAME = "From proposal to match";

/** For each event the one that it follows from, or -1. */
export function causesOf({ kind, a, b }, n) {
  const causes = new Int32Array(kind.length).fill(-1);
  const [proposed, responded] = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
  for (let i = 0; i < kind.length; ++i) {
    if (kind[i] === KIND.PROPOSE) proposed[a[i]] = i;
    else if (kind[i] === KIND.RESPOND) {
      causes[i] = proposed[b[i]];
      responded[a[i]] = i;
    } else if (kind[i] === KIND.MATCH) causes[i] = responded[b[i]];
  }
  return causes;
}

export function chainLink({ a, b }, index) {
  return { from: a[index], to: b[index], lost: -1 };
}

export function chainText({ kind, a, b }, index, label) {
  const verb = { [KIND.PROPOSE]: "proposes to", [KIND.RESPOND]: "responds to", [KIND.MATCH]: "gets", [KIND.TAKE]: "takes" };
  return `${label(a[index])} ${verb[kind[index]] ?? "–"} ${label(b[index])}`;
}
