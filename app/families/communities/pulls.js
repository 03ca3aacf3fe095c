// What moved a vertex: the edges into both communities when its launch began, and the last move of a
// neighbour that had changed these.  All moves of a launch are decided from what was before it; where
// kernels or threads see some moves of the same launch already, these are left out.

import { KIND } from "./events.js";

const SHOWN = 3; // neighbours that pulled most
const MOST = 5e6; // edges that are looked at before the first picture

/** For each MOVE the weights of edges `there` and at `home`, who pulled most (`who`, SHOWN an event, -1
 *  for none), the event that changed the weights before (`causes`); and the moves of each vertex. */
export function pullsOf(timeline, { kind, iteration }, arrays, n) {
  if (!arrays?.["edges/u"]) return null;
  const near = neighboursOf(arrays, n);
  const field = Object.keys(timeline.state).indexOf("community");
  const seen = timeline.state.community.slice(); // when the launch began
  const last = new Int32Array(n).fill(-1); // move of each vertex before the launch, and what it changed
  const [left, entered] = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
  const found = {
    causes: new Int32Array(kind.length).fill(-1), there: new Float32Array(kind.length),
    home: new Float32Array(kind.length), who: new Int32Array(SHOWN * kind.length).fill(-1), moves: new Map(),
  };
  let [looks, waiting] = [0, []];
  for (let i = 0; i < kind.length; ++i) {
    if (i && iteration[i] !== iteration[i - 1]) {
      for (const [vertex, from, to, event] of waiting) [seen[vertex], last[vertex], left[vertex], entered[vertex]] = [to, event, from, to];
      waiting = [];
    }
    const moved = [];
    for (let k = timeline.offsets[i]; k < timeline.offsets[i + 1]; ++k) {
      if (timeline.field[k] === field) moved.push([timeline.index[k], timeline.old[k], timeline.new[k], i]);
    }
    waiting.push(...moved);
    if (kind[i] !== KIND.MOVE || !moved.length) continue;
    for (const [vertex] of moved) looks += near.offsets[vertex + 1] - near.offsets[vertex];
    if (looks > MOST) return null;
    look(found, i, moved, near, { seen, last, left, entered });
  }
  return found;
}

function look({ causes, there, home, who, moves }, event, moved, near, { seen, last, left, entered }) {
  const own = new Set(moved.map(([vertex]) => vertex));
  const [[, from, to]] = moved;
  const pulled = new Map();
  for (const vertex of own) {
    if (!moves.has(vertex)) moves.set(vertex, []);
    moves.get(vertex).push(event);
    for (let k = near.offsets[vertex]; k < near.offsets[vertex + 1]; ++k) {
      const other = near.others[k];
      if (own.has(other)) continue;
      if (seen[other] === to) pulled.set(other, (pulled.get(other) ?? 0) + near.weights[k]);
      else if (seen[other] === from) home[event] += near.weights[k];
      const changed = [left[other], entered[other]].some((name) => name === to || name === from);
      if (changed) causes[event] = Math.max(causes[event], last[other]);
    }
  }
  const most = [...pulled].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  for (const [, weight] of most) there[event] += weight;
  most.slice(0, SHOWN).forEach(([other], k) => (who[SHOWN * event + k] = other));
}

/** The neighbours of every vertex in one array, with weights. */
function neighboursOf(arrays, n) {
  const [u, v, weight] = [arrays["edges/u"], arrays["edges/v"], arrays["edges/weight"]];
  const offsets = new Int32Array(n + 1);
  for (const end of [u, v]) for (const vertex of end) offsets[vertex + 1] += 1;
  for (let vertex = 0; vertex < n; ++vertex) offsets[vertex + 1] += offsets[vertex];
  const [place, others, weights] = [offsets.slice(), new Int32Array(2 * u.length), new Float32Array(2 * u.length)];
  for (let e = 0; e < u.length; ++e) {
    for (const [one, other] of [[u[e], v[e]], [v[e], u[e]]]) {
      others[place[one]] = other;
      weights[place[one]++] = weight[e];
    }
  }
  return { offsets, others, weights };
}

/** The last move of a vertex among the first `time` events, or -1. */
export function lastMove({ moves }, vertex, time) {
  return moves.get(vertex)?.findLast((event) => event < time) ?? -1;
}

/** Who pulled most in a move. */
export function strongest({ who }, event) {
  return [...who.subarray(SHOWN * event, SHOWN * (event + 1))].filter((other) => other >= 0);
}
