// SGD under a schedule: ratings are the edges between users and items; each is updated once a sweep,
// or deferred because another thread holds one of its ends.

import { KIND } from "./events.js";
import { RatingMatrix } from "./ratingmatrix.js";
import { ScheduleView } from "./scheduleview.js";
import { stateOfRatings, stepsOf } from "./steps.js";
import { Together } from "./together.js";
import { letterOf } from "./words.js";
import { counted, grouped } from "warplens/words.js";

const DEFERRALS = [KIND.DEFER_USER, KIND.DEFER_ITEM];

/** Colours besides the player's own. */
export const COLOURS = ["accent-text"];

const [IDLE, AT_WORK, USER_LOCKED, ITEM_LOCKED] = [0, 1, 2, 3];
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "full", colour: "accent" },
  { look: "ring", colour: "tried" },
  { look: "ring", colour: "undone" },
];

/** The graph with the schedule below, the matrix, and the schedule alone; a click changes them. */
export function picturesOf(meta, arrays) {
  if (!arrays["edges/u"] || !arrays["ratings/place"]) return null;
  const schedule = arrays["events/batch"]?.length ? [ScheduleView] : [];
  return arrays["layout/x"] ? [Together, RatingMatrix, ...schedule] : [RatingMatrix, ...schedule];
}

export function legend(kinds, meta) {
  const entries = [
    { sign: "open", text: "not yet in this sweep" },
    { sign: "now", text: "updated in this step" },
    { sign: "updated", text: "done in this sweep" },
  ];
  if (kinds.has(KIND.DEFER_USER)) entries.push({ sign: "user", text: "deferred: the user is locked" });
  if (kinds.has(KIND.DEFER_ITEM)) entries.push({ sign: "item", text: "deferred: the item is locked" });
  if (meta?.held) entries.push({ sign: "held", text: "held back for the test" });
  if (kinds.size) entries.push({ sign: "barrier", text: "barrier: all threads wait" });
  return entries;
}

/** Columns of the schedule, and counters after each event. */
export function prepare(marks, _timeline, meta, events, arrays = {}) {
  marks.rows = meta.rows;
  marks.steps = stepsOf(meta, events);
  marks.held = arrays["ratings/held"];
  marks.ratings = new Uint8Array(arrays["ratings/place"]?.length ?? 0);
  marks.events = events;
  marks.train = marks.ratings.length - (meta.held ?? 0);
}

export function marksOf(state, marks) {
  const { classes, steps, events } = marks;
  const time = marks.time ?? 0;
  classes.fill(IDLE);
  const { done, waiting } = stateOfRatings(state, marks, time);
  const links = [];
  for (const event of steps.now(time)) {
    const [user, item] = [events.a[event], events.b[event]];
    if (events.kind[event] === KIND.UPDATE) {
      classes[user] = classes[item] = AT_WORK;
      links.push(user, item);
    } else if (events.kind[event] === KIND.DEFER_USER) classes[user] ||= USER_LOCKED;
    else classes[item] ||= ITEM_LOCKED;
  }
  marks.links = Int32Array.from(links);
  marks.arrows = new Int32Array(0);
  const at = steps.at(time);
  marks.measures = { ...at, done, waiting, train: marks.train, rmse: marks.objective };
}

export function measuresText({ sweep, pass, word, step, done, waiting, train, rmse }, number) {
  const parts = [];
  if (sweep >= 0) parts.push(`sweep ${sweep + 1}`);
  if (pass >= 0) parts.push(`${word} ${pass + 1}`);
  if (step >= 0) parts.push(`step ${step + 1}`);
  if (train && sweep >= 0) parts.push(`${grouped(done)} of ${grouped(train)} done`);
  if (waiting) parts.push(`${grouped(waiting)} deferred`);
  if (rmse) parts.push(`RMSE ${number(rmse, 3)}`);
  return parts.join(" · ");
}

const pulse = (at, colour, begin = 0) => ({ type: "pulse", at, colour, begin, end: 1 });

export function effectsOf({ kind, a, b }, index) {
  const [user, item] = [a[index], b[index]];
  switch (kind[index]) {
    case KIND.UPDATE:
      return [{ type: "bond", from: user, to: item, colour: "accent", alone: true, begin: 0, end: 0.6 }, pulse(user, "accent", 0.2), pulse(item, "accent", 0.2)];
    case KIND.DEFER_USER:
      return [{ type: "bounce", from: item, to: user, colour: "tried", begin: 0, end: 1 }, pulse(user, "tried")];
    case KIND.DEFER_ITEM:
      return [{ type: "bounce", from: user, to: item, colour: "undone", begin: 0, end: 1 }, pulse(item, "undone")];
    default:
      return [];
  }
}

export function factsOf(state, vertex, label, _number, marks) {
  const { updates, partner } = state;
  const times = updates[vertex];
  if (!times) return ["not updated yet"];
  const lines = [`updated ${times === 1 ? "once" : `${grouped(times)} times`}`];
  if (partner[vertex] >= 0) lines.push(`at last with ${label(partner[vertex])}`);
  if (marks?.classes[vertex] === AT_WORK) lines.push("at work in this step");
  return lines;
}

export function neighbourText(state, vertex, other, _weight, _label) {
  const last = state.partner[vertex] === other && state.partner[other] === vertex;
  return last ? "their latest update was with each other" : counted(state.updates[other], "update");
}

/** What was tried with one rating in one sweep: deferred, deferred again, updated. */
export const CHAIN_NAME = "Attempts at this rating";

/** For each event the one before it of the same rating, if that one was deferred; or -1. */
export function causesOf({ kind, c }) {
  const causes = new Int32Array(kind.length).fill(-1);
  const deferred = new Map();
  for (let i = 0; i < kind.length; ++i) {
    const before = deferred.get(c[i]);
    if (before !== undefined) causes[i] = before;
    if (DEFERRALS.includes(kind[i])) deferred.set(c[i], i);
    else deferred.delete(c[i]);
  }
  return causes;
}

export function chainLink({ a, b }, index) {
  return { from: a[index], to: b[index], lost: -1 };
}

export function chainText({ kind, c }, index) {
  const name = letterOf(c[index]);
  if (kind[index] === KIND.UPDATE) return `${name} is updated`;
  return `${name} is deferred: ${kind[index] === KIND.DEFER_USER ? "user" : "item"} locked`;
}


