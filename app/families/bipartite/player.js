// The bipartite family: rows and columns of a matrix, matched by a search in waves.  A filled vertex
// is matched, a ring is not; the search colours the vertices that it reaches, each wave in its colour.

import { KIND } from "./events.js";
import { RailView } from "warplens/railview.js";
import { SpyView } from "./spyview.js";
import { SEQUENCE } from "warplens/theme.js";
import { counted, grouped } from "warplens/words.js";

const CONFLICTS = [KIND.STOP, KIND.FIX, KIND.RUNAWAY];

const waveColour = (wave) => `sequence-${(wave - 1) % SEQUENCE.length}`;
const [FREE, MATCHED, ROOT, FOUND, LOOSE, FIRST_WAVE] = [0, 1, 2, 3, 4, 5];
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "full", colour: "done" },
  { look: "ring", colour: "sequence-0" },
  { look: "ring", colour: "accent" },
  { look: "ring", colour: "undone" },
  ...SEQUENCE.map((_, i) => ({ look: "full", colour: `sequence-${i}` })),
];

/** Small matrices are shown as two rails first, others as a spy plot; a click changes the picture. */
export function picturesOf(meta, arrays) {
  const rails = Boolean(arrays["layout/x"]);
  const spy = Boolean(arrays["edges/u"]);
  if (!rails) return spy ? [SpyView] : null;
  const most = Math.max(meta.rows, meta.n - meta.rows);
  return most <= RailView.READABLE ? [RailView, SpyView] : [SpyView, RailView];
}

export function legend(kinds) {
  const entries = [
    { sign: "free", text: "unmatched" },
    { sign: "matched", text: "matched" },
    { sign: "waves", text: "reached: a colour for each wave, unmatched columns first" },
    { sign: "found", text: "unmatched row that was reached: the end of a path" },
  ];
  if (CONFLICTS.some((kind) => kinds.has(kind))) {
    entries.push({ sign: "loose", text: "row that lost its column to another one" });
    entries.push({ sign: "displaced", text: "conflict, or its repair" });
  }
  return entries;
}

/** Counters after each event, made once: phase, paths found in it, repairs so far. */
export function prepare(marks, _timeline, meta, { kind, a }) {
  marks.rows = meta.rows;
  marks.tints = new Uint8Array(meta.n);
  const counters = ["phase", "paths", "repairs"].map(() => new Int32Array(kind.length + 1));
  let [phase, paths, repairs] = [0, 0, 0];
  for (let i = 0; i < kind.length; ++i) {
    if (kind[i] === KIND.PHASE) [phase, paths] = [a[i], 0];
    else if (kind[i] === KIND.PATH) paths += 1;
    else if (kind[i] === KIND.FIX) repairs += 1;
    [phase, paths, repairs].forEach((value, k) => (counters[k][i + 1] = value));
  }
  [marks.phase, marks.paths, marks.repairs] = counters;
}

/** Links are matched pairs, arrows the search's tree from columns to rows; tints show the wave. */
export function marksOf(state, marks) {
  const { mate, wave, parent } = state;
  const { rows, classes, tints } = marks;
  const { links, arrows } = (marks.room ??= {
    links: new Int32Array(2 * rows),
    arrows: new Int32Array(2 * rows),
  });
  let [linked, pointing, deepest] = [0, 0, 0];
  for (let v = 0; v < mate.length; ++v) {
    // Between two launches a row may name a column that has another row by then.
    const matched = mate[v] >= 0 && mate[mate[v]] === v;
    const at = wave[v];
    if (at > deepest) deepest = at;
    tints[v] = at ? 1 + ((at - 1) % SEQUENCE.length) : 0;
    if (matched) classes[v] = at ? FIRST_WAVE + tints[v] - 1 : MATCHED;
    else if (mate[v] >= 0) classes[v] = LOOSE;
    else classes[v] = !at ? FREE : v < rows ? FOUND : ROOT;
    if (v >= rows) continue;
    if (matched) {
      links[linked++] = v;
      links[linked++] = mate[v];
    }
    if (parent[v] >= 0 && parent[v] !== mate[v]) {
      arrows[pointing++] = parent[v];
      arrows[pointing++] = v;
    }
  }
  marks.links = links.subarray(0, linked);
  marks.arrows = arrows.subarray(0, pointing);
  const at = marks.time ?? 0;
  const free = mate.length - rows - linked / 2;
  marks.measures = {
    matched: linked / 2,
    free,
    wave: deepest,
    phase: marks.phase?.[at] ?? 0,
    paths: marks.paths?.[at] ?? 0,
    repairs: marks.repairs?.[at] ?? 0,
  };
}

export function measuresText({ matched, free, wave, phase, paths, repairs }) {
  const parts = [`${grouped(matched)} matched`, `${counted(free, "column")} free`];
  if (phase) parts.push(`phase ${phase}`);
  if (wave) parts.push(`wave ${wave}`);
  if (paths) parts.push(counted(paths, "path"));
  if (repairs) parts.push(counted(repairs, "repair"));
  return parts.join(" · ");
}

/** Only the arrow itself is hidden while it grows, not the others of its column. */
const grow = (from, to, colour) => ({ type: "arrow", from, to, colour, alone: true, begin: 0, end: 0.5 });
const pulse = (at, colour, begin = 0) => ({ type: "pulse", at, colour, begin, end: 1 });

export function effectsOf(events, index) {
  const [a, b, c] = [events.a[index], events.b[index], events.c[index]];
  const level = events.value[index];
  switch (events.kind[index]) {
    case KIND.REACH:
    case KIND.GRAFT: {
      const colour = events.kind[index] === KIND.GRAFT ? "accent" : waveColour(level + 1);
      const back = c < 0 ? [] : [
        { type: "bond", from: b, to: c, colour, alone: true, begin: 0.45, end: 0.8 },
        pulse(c, colour, 0.6),
      ];
      return [grow(a, b, colour), pulse(b, colour, 0.4), ...back];
    }
    case KIND.PATH:
      return [grow(a, b, "accent"), pulse(b, "accent", 0.4), ...(c >= 0 ? [pulse(c, "accent", 0.5)] : [])];
    case KIND.FLIP: {
      const broken = { type: "break", from: c, to: a, colour: "undone", alone: true, begin: 0.1, end: 1 };
      return [
        ...(c >= 0 && c !== b ? [broken] : []),
        { type: "bond", from: b, to: a, colour: "done", alone: true, begin: 0.2, end: 0.8 },
        pulse(a, "done", 0.4),
        pulse(b, "done", 0.4),
      ];
    }
    case KIND.MATCH:
      return [
        { type: "bond", from: b, to: a, colour: "done", alone: true, begin: 0, end: 0.7 },
        pulse(a, "done", 0.3),
        pulse(b, "done", 0.3),
      ];
    case KIND.STOP: {
      const turned = { type: "bounce", from: a, to: b, colour: "undone", begin: 0, end: 1 };
      return [turned, pulse(a, "undone"), ...(c >= 0 ? [pulse(c, "undone", 0.45)] : [])];
    }
    case KIND.FIX: {
      const lost = { type: "break", from: a, to: b, colour: "undone", begin: 0, end: 1 };
      return [...(b >= 0 ? [lost] : []), pulse(a, "undone"), ...(c >= 0 ? [pulse(c, "done", 0.4)] : [])];
    }
    case KIND.FREE:
      return [pulse(a, "minor"), ...(b >= 0 ? [pulse(b, "minor")] : [])];
    case KIND.RUNAWAY:
      return [pulse(a, "undone")];
    default:
      return [];
  }
}

export function factsOf(state, vertex, label) {
  const { mate, wave, parent } = state;
  const other = mate[vertex];
  const lines = [other < 0 ? "unmatched" : `matched with ${label(other)}`];
  if (other >= 0 && mate[other] !== vertex) lines[0] = `names ${label(other)}, which has another row`;
  if (!wave[vertex]) lines.push("not reached in this phase");
  else if (parent[vertex] < 0) lines.push("the search begins here: wave 1");
  else lines.push(`wave ${wave[vertex]}, reached from ${label(parent[vertex])}`);
  return lines;
}

export function neighbourText(state, vertex, other, _weight, label) {
  const { mate, wave, parent } = state;
  const parts = [];
  if (mate[other] === vertex) parts.push("matched with it");
  else parts.push(mate[other] >= 0 ? `matched with ${label(mate[other])}` : "unmatched");
  if (parent[other] === vertex) parts.push("reached from here");
  else if (parent[vertex] === other) parts.push("reached it");
  else if (wave[other]) parts.push(`wave ${wave[other]}`);
  return parts.join(", ");
}

/** Columns and rows by turns, from an unmatched column; or the flips of one walk. */
export const CHAIN_NAME = "Alternating path";

/** For each event the one of the same path before it, or -1. */
export function causesOf(events, n) {
  const { kind, a, b, c } = events;
  const causes = new Int32Array(kind.length).fill(-1);
  const joined = new Int32Array(n).fill(-1); // by which event a column came into the search
  const lost = new Int32Array(n).fill(-1); // by which flip a row lost its column
  for (let i = 0; i < kind.length; ++i) {
    if (kind[i] === KIND.PHASE && !c[i]) joined.fill(-1);
    else if (kind[i] === KIND.REACH || kind[i] === KIND.GRAFT) {
      causes[i] = joined[a[i]];
      if (c[i] >= 0) joined[c[i]] = i;
    } else if (kind[i] === KIND.PATH) causes[i] = joined[a[i]];
    else if (kind[i] === KIND.FLIP) {
      causes[i] = lost[b[i]];
      lost[b[i]] = -1;
      if (c[i] >= 0) lost[c[i]] = i;
    } else if (kind[i] === KIND.STOP || kind[i] === KIND.FIX) {
      causes[i] = kind[i] === KIND.STOP ? lost[a[i]] : -1;
      lost[a[i]] = -1;
    }
  }
  return causes;
}

export function chainLink({ kind, a, b, c }, index) {
  const leads = [KIND.REACH, KIND.GRAFT, KIND.FLIP].includes(kind[index]);
  return { from: a[index], to: b[index], lost: leads ? c[index] : -1 };
}

export function chainText({ kind, a, b, c }, index, labelOf) {
  // Short names, as the sentences have them; there is little room.
  const label = (vertex) => labelOf(vertex).replace(/^(r)ow (\d+)$|^(c)olumn (\d+)$/, "$1$2$3$4");
  const [one, other] = [label(a[index]), label(b[index])];
  switch (kind[index]) {
    case KIND.FLIP:
      return c[index] < 0 ? `${one} takes ${other}` : `${one} takes ${other} for ${label(c[index])}`;
    case KIND.STOP:
      return `${one} stops`;
    case KIND.PATH:
      return `${one} finds ${other}`;
    default:
      return c[index] < 0 ? `${one} – ${other}` : `${one} – ${other} – ${label(c[index])}`;
  }
}
