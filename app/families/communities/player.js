// The communities family: the looks of its states and events.  A community has the name of the
// vertex that founded it, so its colour stays the same through sweeps and contractions.

import { CommunityView } from "./communityview.js";
import { KIND } from "./events.js";
import { lastMove, pullsOf, strongest } from "./pulls.js";
import { CATEGORIES } from "warplens/theme.js";
import { counted } from "warplens/words.js";

export const View = CommunityView;

/** A record that watches a vertex has an event for each of its edges, in every sweep. */
export const DETAILS = { kinds: [KIND.HASH], text: "hash inserts" };

/** Lone vertices are plain; then every hue in three patterns, the largest communities first. */
const PATTERNS = ["full", "spotted", "barred"];
const COLOURED = PATTERNS.flatMap((look) => CATEGORIES.map((_, i) => ({ look, colour: `category-${i}` })));
export const STYLES = [{ look: "plain", colour: "vertex-line" }, ...COLOURED];

export function legend(kinds) {
  const entries = [
    { sign: "free", text: "a community of its own" },
    { sign: "community", text: "a colour (and pattern) is a community" },
  ];
  if (kinds.has(KIND.MERGE)) {
    entries.push({ sign: "merged", text: "contracted to one vertex; ring: weight of the edges inside" });
  }
  return entries;
}

/** Before the first picture: which communities there will be, so that those get the clearest colours;
 *  and what moved the vertices. */
export function prepare(marks, timeline, meta, events, arrays) {
  marks.events = events;
  events.pulls = pullsOf(timeline, events, arrays, meta.n);
  const [community, changes] = [timeline.state.community, timeline.new.length];
  const field = Object.keys(timeline.state).indexOf("community");
  const now = community.slice();
  const size = new Int32Array(now.length);
  for (const name of now) size[name] += 1;
  const most = size.slice();
  for (let i = 0; i < changes; ++i) {
    if (timeline.field[i] !== field) continue;
    const [vertex, to] = [timeline.index[i], timeline.new[i]];
    size[now[vertex]] -= 1;
    size[to] += 1;
    most[to] = Math.max(most[to], size[to]);
    now[vertex] = to;
  }
  const smallest = new Int32Array(now.length).fill(now.length);
  now.forEach((name, vertex) => (smallest[name] = Math.min(smallest[name], vertex)));
  const names = [...now.keys()].filter((name) => most[name] > 1);
  // The charts number the communities of the result alike (app/families/communities/plots.py).
  names.sort((one, other) => size[other] - size[one] || smallest[one] - smallest[other]
    || most[other] - most[one] || one - other);
  marks.style = new Uint8Array(now.length);
  names.forEach((name, rank) => {
    marks.style[name] = 1 + (rank % COLOURED.length);
  });
  marks.size = new Int32Array(now.length);
  marks.last = now;
}

/** Gives the communities of one run the colours of those of another that they share most with. */
export function align(marks, like) {
  const [mine, theirs] = [marks.last, like.last];
  const shared = new Map();
  for (let v = 0; v < mine.length; ++v) {
    const key = mine[v] * mine.length + theirs[v];
    shared.set(key, (shared.get(key) ?? 0) + 1);
  }
  const pairs = [...shared].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  const [taken, given] = [new Set(), new Set()];
  const renamed = Int32Array.from(mine.keys());
  for (const [key] of pairs) {
    const [own, other] = [Math.floor(key / mine.length), key % mine.length];
    if (taken.has(own) || given.has(other)) continue;
    taken.add(own);
    given.add(other);
    swap(marks.style, own, like.style[other]);
    renamed[own] = other;
  }
  marks.renamed = renamed;
}

/** Gives `name` a style; the community that had it gets the free one. */
function swap(style, name, wanted) {
  const holder = style.indexOf(wanted);
  if (holder >= 0) style[holder] = style[name];
  style[name] = wanted;
}

/** The labels by which two runs are compared, vertex by vertex; lone vertices are equal under any name. */
export function comparable(state, { renamed, size }) {
  size.fill(0);
  for (const name of state.community) size[name] += 1;
  const name = (own) => (size[own] === 1 ? -1 : renamed ? renamed[own] : own);
  return { ...state, community: state.community.map(name) };
}

export function marksOf(state, marks) {
  const { community, group } = state;
  const { size, style } = marks;
  size.fill(0);
  for (const name of community) size[name] += 1;
  let communities = 0;
  let largest = 0;
  for (const count of size) {
    if (count) communities += 1;
    if (count > largest) largest = count;
  }
  for (let v = 0; v < community.length; ++v) {
    marks.classes[v] = size[community[v]] > 1 ? style[community[v]] : 0;
  }
  marks.groups = group;
  marks.links = [];
  marks.arrows = [];
  marks.measures = { communities, largest, modularity: marks.objective };
}

export function measuresText({ communities, modularity }, number) {
  const quality = modularity === undefined ? "" : `, modularity ${number(modularity, 4)}`;
  return `${counted(communities, "community")}${quality}`;
}

export function effectsOf(events, index) {
  const at = events.a[index];
  const pulse = (colour) => [{ type: "pulse", at, colour, begin: 0, end: 1 }];
  switch (events.kind[index]) {
    case KIND.MOVE:
      return pulse("accent");
    case KIND.MERGE:
    case KIND.OPEN:
    case KIND.JOIN:
      return pulse("tried");
    case KIND.SPLIT:
    case KIND.TAKE_BACK:
      return pulse("undone");
    default:
      return pulse("minor");
  }
}

export function factsOf(state, vertex, label, number, { events, time }) {
  const { community, group } = state;
  const name = community[vertex];
  let [members, together] = [0, 0];
  for (let v = 0; v < community.length; ++v) {
    if (community[v] === name) members += 1;
    if (group[v] === group[vertex]) together += 1;
  }
  if (members === 1) return ["alone in its community"];
  const lines = [`in the community of ${label(name)}, ${counted(members, "vertex")}`];
  if (together > 1) lines.push(`contracted with ${together - 1} of them`);
  return [...lines, ...whyItMoved(events, lastMove(events.pulls ?? { moves: new Map() }, vertex, time), label, number)];
}

/** What pulled a vertex in its last move, and which move had changed that before. */
function whyItMoved({ pulls, a, value }, event, label, number) {
  if (event < 0) return [];
  const { there, home, causes } = pulls;
  const lines = [
    `moved in step ${event + 1}, and modularity gained ${number(value[event])}`,
    `when its launch began, edges of weight ${number(there[event])} led there and ${number(home[event])} stayed behind`,
  ];
  const who = strongest(pulls, event);
  if (who.length) lines.push(`pulled most by ${who.map(label).join(", ")}`);
  if (causes[event] >= 0) lines.push(`before that, ${label(a[causes[event]])} had changed these weights in step ${causes[event] + 1}`);
  return lines;
}

/** A neighbour moves, and so the weights change by which the next one decides. */
export const CHAIN_NAME = "Moves that led to this one";

/** For each move the last one before its launch that changed the weights it is decided by, or -1. */
export function causesOf({ pulls }) {
  return pulls?.causes ?? null;
}

export function chainLink({ pulls, a }, index) {
  return { from: a[index], to: strongest(pulls, index)[0] ?? a[index], lost: -1 };
}

export function chainText({ a, c }, index, label) {
  return `${label(a[index])} to the community of ${label(c[index])}`;
}

export function neighbourText(state, vertex, other, _weight, label) {
  const { community } = state;
  if (community[vertex] === community[other]) return "in the same community";
  return `in the community of ${label(community[other])}`;
}
