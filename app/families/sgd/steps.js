// Where each event is in its schedule: its thread, its column of time steps, its sweep and pass; and
// what has become of each rating.  Barriers are the ends of launches, and those inside a launch.

import { KIND } from "./events.js";

/** States of a rating. */
export const EDGE = Object.freeze({ open: 0, updated: 1, user: 2, item: 3, now: 4, held: 5 });

/** The thread of the schedule of an event. */
const threadOf = (lanes, warp, lane) => warp * Math.floor(32 / lanes) + Math.floor(lane / lanes);

/** How many rows the schedule has; 0 without events. */
export function threadsOf({ lanes, threads }, arrays) {
  const [warp, lane] = [arrays["events/warp"], arrays["events/lane"]];
  if (!lane?.length) return 0;
  return warp.reduce((most, one, i) => Math.max(most, threadOf(lanes, one, lane[i]) + 1), threads);
}

export function stepsOf(meta, events) {
  return new Steps(meta, events);
}

class Steps {
  constructor({ passes = [], lanes = 1, threads = 0, barriers = [] }, { kind, a, iteration, batch, warp, lane }) {
    const count = kind.length;
    this.passes = passes;
    this.batch = batch ?? new Int32Array(count);
    this.users = a;
    this.iteration = iteration;
    this.thread = new Int32Array(count);
    const launches = Math.max(passes.length, count ? iteration.reduce((most, i) => Math.max(most, i), 0) + 1 : 0);
    const length = new Int32Array(launches);
    this.threads = threads;
    for (let i = 0; i < count; ++i) {
      this.thread[i] = threadOf(lanes, warp[i], lane?.[i] ?? 0);
      this.threads = Math.max(this.threads, this.thread[i] + 1);
      length[iteration[i]] = Math.max(length[iteration[i]], this.batch[i] + 1);
    }
    /** The first column of each launch, and the end of the last one. */
    this.begins = new Int32Array(launches + 1);
    for (let i = 0; i < launches; ++i) this.begins[i + 1] = this.begins[i] + length[i];
    this.columns = this.begins[launches];
    this.column = Int32Array.from(this.batch, (step, i) => this.begins[iteration[i]] + step);
    this.#sortByColumn(count);
    this.#numberPasses();
    this.barriers = this.#barriersOf(barriers);
    /** The first column of each sweep, and its end. */
    this.ranges = [...this.sweeps.keys()].filter((i) => this.pass[i] === 0).map((i) => [this.begins[i], this.begins[this.#after(i)]]);
  }

  /** Events by column, in the order in which they happened. */
  #sortByColumn(count) {
    this.starts = new Int32Array(this.columns + 1);
    for (let i = 0; i < count; ++i) this.starts[this.column[i] + 1] += 1;
    for (let c = 0; c < this.columns; ++c) this.starts[c + 1] += this.starts[c];
    const next = this.starts.slice();
    this.order = new Int32Array(count);
    for (let i = 0; i < count; ++i) this.order[next[this.column[i]]++] = i;
  }

  /** For each launch the number of the pass in its sweep. */
  #numberPasses() {
    this.sweeps = this.passes.map(({ sweep }) => sweep);
    this.pass = [];
    this.sweeps.forEach((sweep, i) => this.pass.push(i && sweep === this.sweeps[i - 1] ? this.pass[i - 1] + 1 : 0));
    this.several = this.pass.some((number) => number > 0);
  }

  /** The first launch of the next sweep. */
  #after(launch) {
    let end = launch + 1;
    while (this.pass[end] > 0) end += 1;
    return end;
  }

  /** Columns before which all threads wait, with the number of barriers there, ends of launches too. */
  #barriersOf(inside) {
    const found = new Map();
    for (let i = 1; i < this.begins.length - 1; ++i) found.set(this.begins[i], { count: 1, launch: true, sweep: this.sweeps[i] !== this.sweeps[i - 1] });
    if (!inside.length) return found;
    this.passes.forEach((_, i) => {
      const [begin, end] = [this.begins[i], this.begins[i + 1]];
      for (const step of inside[this.pass[i]] ?? []) {
        const at = begin + step;
        if (at <= begin || at >= end) continue; // the end of a launch is a barrier by itself
        const known = found.get(at);
        if (known) known.count += 1;
        else found.set(at, { count: 1, launch: false, sweep: false });
      }
    });
    return found;
  }

  /** Events of the step of the last event, as far as they have happened. */
  now(time) {
    if (!time || !this.columns) return [];
    const column = this.column[time - 1];
    return this.of(column).filter((event) => event < time);
  }

  of(column) {
    return this.order.subarray(this.starts[column], this.starts[column + 1]);
  }

  /** The first column of the sweep of a launch. */
  origin(launch) {
    return this.begins[launch - (this.pass[launch] ?? 0)];
  }

  /** Sweep, pass and step of the sweep after `time` events; a pass only where a sweep has several. */
  at(time) {
    if (!time) return { sweep: -1, pass: -1, word: "", step: -1 };
    const launch = this.iteration[time - 1];
    const pass = this.several ? this.pass[launch] ?? -1 : -1;
    const word = this.passes[launch]?.name === "block" ? "block" : "pass";
    return { sweep: this.sweeps[launch] ?? -1, pass, word, step: this.column[time - 1] - this.origin(launch) };
  }
}

/** Writes the state of every rating to `marks.ratings`; returns how many are done and deferred. */
export function stateOfRatings({ processed, waiting }, marks, time) {
  const { ratings, held, steps, events } = marks;
  let [done, deferred] = [0, 0];
  if (!processed) return { done, waiting: deferred };
  const sweep = Math.max(0, steps.at(time).sweep);
  for (let r = 0; r < ratings.length; ++r) {
    if (held?.[r]) ratings[r] = EDGE.held;
    else if (processed[r] > sweep) ratings[r] = EDGE.updated;
    else ratings[r] = waiting?.[r] === KIND.DEFER_USER ? EDGE.user : waiting?.[r] === KIND.DEFER_ITEM ? EDGE.item : EDGE.open;
    done += ratings[r] === EDGE.updated;
    deferred += ratings[r] === EDGE.user || ratings[r] === EDGE.item;
  }
  for (const event of steps.now(time)) {
    if (events.kind[event] === KIND.UPDATE) ratings[events.c[event]] = EDGE.now;
  }
  return { done, waiting: deferred };
}
