// Long gaps without an event, mostly between two launches, which the axis of warps may fold: a place on
// the axis is a time without most of the gaps before it.

import { DOING } from "./rows.js";
import { counted } from "../lib/words.js";

/** The unit of the clocks of GPUs, and a time that most launches take to follow another one. */
const [UNIT, LEAST] = ["µs", 2.5];
/** Gaps that take less of the run than this are left as they are. */
const MOST = 0.5;
/** The parts of the time between gaps that one folded gap, and all of them, take. */
const [ONE, ALL] = [0.01, 0.25];

export class Folds {
  constructor(rows, unit) {
    this.rows = rows;
    const found = unit === UNIT ? gapsOf(rows) : [];
    const time = found.reduce((sum, { from, to }) => sum + to - from, 0);
    this.gaps = time > MOST * rows.span ? found : [];
    this.time = this.gaps.length ? time : 0;
    const between = rows.span - this.time;
    const wide = Math.max(ONE, ALL / this.gaps.length) * between || 1;
    let before = 0; // how much time the gaps up to here lose
    for (const gap of this.gaps) {
      Object.assign(gap, { wide, at: gap.from - before });
      before += gap.to - gap.from - wide;
    }
    this.fold(this.gaps.length > 0);
  }

  /** Folds the gaps, or draws them to scale. */
  fold(folded) {
    this.folded = folded;
    this.places = Float64Array.from({ length: this.rows.count }, (_, event) => this.placeAt(this.rows.time(event)));
  }

  /** The folded gaps: their times, and where they are. */
  get shown() {
    return this.folded ? this.gaps : [];
  }

  get span() {
    return this.places.at(-1) ?? 0;
  }

  /** The place of a time. */
  placeAt(time) {
    const gap = lastUpTo(this.shown, "from", time);
    if (!gap) return time;
    const { from, to, at, wide } = gap;
    return time < to ? at + (wide * (time - from)) / (to - from) : at + wide + time - to;
  }

  /** The time of a place. */
  timeAt(place) {
    const gap = lastUpTo(this.shown, "at", place);
    if (!gap) return place;
    const { from, to, at, wide } = gap;
    return place < at + wide ? from + ((to - from) * (place - at)) / wide : to + place - at - wide;
  }

  /** The folded gap at a time, if there is one. */
  gapAt(time) {
    return this.shown.find(({ from, to }) => from < time && time < to);
  }

  /** Stretches of time between the folded gaps, of a part of the axis. */
  stretches(from, to) {
    const ends = [this.timeAt(from), ...this.shown.flatMap((gap) => [gap.from, gap.to]), this.timeAt(to)];
    const all = [];
    for (let i = 0; i < ends.length; i += 2) {
      const [begin, end] = [Math.max(ends[i], ends[0]), Math.min(ends[i + 1], ends.at(-1))];
      if (begin <= end) all.push([begin, end]);
    }
    return all;
  }

  /** The length of a folded gap on the ruler. */
  static label(gap, timeText) {
    return `+${timeText(gap.to - gap.from)}`;
  }

  /** What is folded, in a sentence. */
  sentence(timeText) {
    const many = counted(this.gaps.length, "gap");
    const what = `${many} without an event, ${timeText(this.time)} of ${timeText(this.rows.span)}`;
    return this.folded ? `Folded on the axis, with + and its length on the ruler: ${what}.` : `Drawn to scale: ${what}.`;
  }
}

/** The last of some gaps, in their order, that begins at a value or before it. */
function lastUpTo(gaps, name, value) {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle][name] <= value) low = middle + 1;
    else high = middle;
  }
  return gaps[low - 1];
}

/** Times from one event to the next that are long, while no warp is between two events of its iteration. */
function gapsOf(rows) {
  const working = new Int32Array(rows.count + 1);
  for (let i = 0; i < rows.doing.length; ++i) {
    if (rows.doing[i] !== DOING.WORK) continue;
    working[rows.begin[i]] += 1;
    working[rows.end[i]] -= 1;
  }
  const gaps = [];
  let now = 0;
  for (let event = 0; event + 1 < rows.count; ++event) {
    now += working[event];
    const [from, to] = [rows.time(event), rows.time(event + 1)];
    if (!now && to - from > LEAST) gaps.push({ from, to });
  }
  return gaps;
}
