// The keys, the buttons and the words of the axis of warps.

import { DOING } from "./rows.js";
import { element } from "../lib/dom.js";

export const KEYS = {
  w: (axis) => axis.zoom(1.5),
  s: (axis) => axis.zoom(1 / 1.5),
  a: (axis) => axis.pan(-0.2),
  d: (axis) => axis.pan(0.2),
  f: (axis) => axis.whole(),
  ArrowUp: (axis) => axis.stepWarp(-1),
  ArrowDown: (axis) => axis.stepWarp(1),
  Enter: (axis) => axis.chooseCurrent(),
};
export const HELP = "Keys: w and s zoom, a and d move, f shows the whole run, up and down choose a warp, Enter the current one.";

const ENTRIES = [
  [DOING.WORK, "work", "at work"],
  [DOING.WAIT, "wait", "waits for the others of its iteration"],
  [DOING.BETWEEN, "between", "before its next event: reads, or a barrier or a launch"],
  [DOING.UNTIMED, "untimed", "has work, but no event says when"],
  [DOING.IDLE, "idle", "no work"],
];

/** What the forms of the axis mean, of those that a run has. */
export function axisKey(rows) {
  const present = new Set(rows.doing);
  const entries = ENTRIES.filter(([doing]) => present.has(doing)).map(([, name, text]) => [name, text]);
  if (rows.atomic.includes(1)) entries.push(["atomic", "an atomic operation"]);
  if (rows.atomic.includes(0)) entries.push(["event", rows.atomic.includes(1) ? "another event" : "an event"]);
  const entry = ([name, text]) => element("li", {}, element("i", { class: `wx-sign wx-${name}` }), text);
  return element("ul", { class: "wp-key wx-key", "aria-label": "what the axis shows" }, ...entries.map(entry));
}

/** The switch between folded gaps and gaps to scale. */
export function scaleSwitch(axis) {
  const box = element("input", { type: "checkbox", onchange: () => axis.onFold(!box.checked) });
  axis.scale = box;
  return element("label", { class: "wx-scale" }, box, "gaps to scale");
}

export function zoomButtons(axis) {
  const button = (text, label, action) =>
    element("button", { type: "button", class: "wx-button", "aria-label": label, title: label, onclick: action }, text);
  const few = axis.axis.warps > 1;
  return element(
    "span",
    { class: "wx-zoom", role: "group", "aria-label": "zoom of the time axis" },
    button("◂", "Earlier (a)", () => axis.pan(-0.2)),
    button("▸", "Later (d)", () => axis.pan(0.2)),
    button("+", "Less time (w)", () => axis.zoom(1.5)),
    button("−", "More time (s)", () => axis.zoom(1 / 1.5)),
    ...(few ? [button("↕", `Fewer ${axis.axis.noun}s`, () => axis.zoomWarps(2))] : []),
    button("⤢", "The whole run (f)", () => axis.whole()),
  );
}

const WORDS = {
  [DOING.IDLE]: "no work",
  [DOING.WORK]: "at work",
  [DOING.WAIT]: "waits for other warps",
  [DOING.BETWEEN]: "before its next event",
  [DOING.UNTIMED]: "work without an event",
};

/** What is at a place of the axis, in words. */
export function pointed(axis, { time, ruler, warps: [first, last] }) {
  const { noun } = axis.axis;
  const gap = axis.folds.gapAt(time);
  if (gap) return `${axis.timeText(gap.to - gap.from)} without an event`;
  if (ruler) return axis.timeText(time);
  const who = last - first > 1 ? `${noun}s ${first} to ${last - 1}` : `${noun} ${first}`;
  const what = last - first > 1 ? "" : ` · ${WORDS[axis.rows.doingAt(first, time)]}`;
  return `${axis.timeText(time)} · ${who}${what}`;
}
