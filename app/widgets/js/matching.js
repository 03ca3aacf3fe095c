// The matching family: what its state and its events look like.  Everything else in the player
// knows only links, arrows, classes of vertices and effects.

/** How vertices look: plain, with a ring, filled, hollow; `colour` is one of the theme's. */
export const STYLES = [
  { look: "plain", colour: "vertex-line" },
  { look: "ring", colour: "proposal" },
  { look: "full", colour: "matched" },
  { look: "hollow", colour: "refused" },
];
const [FREE, PROPOSING, MATCHED, ALONE] = STYLES.keys();

const KIND = { free: 1, displace: 2, outbid: 3, exhausted: 4, move: 5, point: 6, match: 7 };

/** Entries of the legend for a record with these kinds of events. */
export function legend(kinds) {
  const pointing = kinds.has(KIND.point);
  const entries = [
    { sign: "free", text: "free" },
    { sign: "proposing", text: pointing ? "points to its candidate" : "proposes, not returned yet" },
    { sign: "matched", text: pointing ? "matched: they point to each other" : "matched: each is the other's suitor" },
    { sign: "alone", text: "no candidate left" },
  ];
  if (kinds.has(KIND.displace)) entries.push({ sign: "displaced", text: "displaced" });
  return entries;
}

/** Colour and place of each kind in the bar of events. */
export const BANDS = [
  { kinds: [KIND.free, KIND.point], colour: "proposal", text: "proposals" },
  { kinds: [KIND.match], colour: "matched", text: "matches" },
  { kinds: [KIND.displace], colour: "displaced", text: "displacements" },
  { kinds: [KIND.outbid, KIND.exhausted, KIND.move], colour: "refused", text: "refusals and others" },
];

/** Fills `marks` = {links, arrows (pairs of vertices), classes} from a state. */
export function marksOf(state, marks) {
  const { suitor, target, exhausted } = state;
  const links = [];
  const arrows = [];
  let weight = 0;
  for (let v = 0; v < suitor.length; ++v) {
    const s = suitor[v];
    const t = target[v];
    const mutual = s >= 0 && suitor[s] === v;
    if (mutual && v < s) {
      links.push(v, s);
      weight += state.bid[v];
    }
    if (t >= 0 && !(mutual && s === t)) arrows.push(v, t);
    marks.classes[v] = mutual ? MATCHED : t >= 0 ? PROPOSING : exhausted[v] ? ALONE : FREE;
  }
  marks.links = links;
  marks.arrows = arrows;
  marks.figures = { matched: links.length / 2, weight };
}

export function figuresText({ matched, weight }, number) {
  return `${matched} ${matched === 1 ? "pair" : "pairs"} matched, weight ${number(weight, 5)}`;
}

/** Effects of one event: what moves on the screen, in parts of the event's time. */
export function effectsOf(events, index) {
  const kind = events.kind[index];
  const [a, b, c] = [events.a[index], events.b[index], events.c[index]];
  const proposal = { type: "arrow", from: a, to: b, colour: "proposal", begin: 0, end: 0.5 };
  switch (kind) {
    case KIND.free:
    case KIND.point:
      return [proposal, { type: "pulse", at: b, colour: "proposal", begin: 0.45, end: 1 }];
    case KIND.displace:
      return [
        { type: "break", from: c, to: b, colour: "displaced", begin: 0.4, end: 1 },
        proposal,
        { type: "pulse", at: b, colour: "proposal", begin: 0.45, end: 1 },
        { type: "pulse", at: c, colour: "displaced", begin: 0.5, end: 1 },
      ];
    case KIND.outbid:
      return [
        { type: "bounce", from: a, to: b, colour: "refused", begin: 0, end: 1 },
        { type: "pulse", at: c, colour: "refused", begin: 0.45, end: 1 },
      ];
    case KIND.exhausted:
      return [{ type: "pulse", at: a, colour: "refused", begin: 0, end: 1 }];
    case KIND.move:
      return [{ type: "pulse", at: a, colour: "accent", begin: 0, end: 1 }];
    case KIND.match:
      return [
        { type: "bond", from: a, to: b, colour: "matched", begin: 0, end: 0.7 },
        { type: "pulse", at: a, colour: "matched", begin: 0.3, end: 1 },
        { type: "pulse", at: b, colour: "matched", begin: 0.3, end: 1 },
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
    else lines.push(state.exhausted[vertex] ? "no candidate left" : "has chosen nobody");
  }
  if (state.warp[vertex] >= 0) lines.push(`held by warp ${state.warp[vertex]}`);
  return lines;
}
