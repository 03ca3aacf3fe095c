// The intervals and events of a run by warp, and the steps of one warp.

/** What a warp does in an interval; gpucore/record/activity.py has the same numbers. */
export const DOING = { IDLE: 0, WORK: 1, ATOMIC: 2, WAIT: 3, BETWEEN: 4, UNTIMED: 5 };

export class Rows {
  /** `axis`: the entry of the player's header; `arrays`: those of its message; `clock`: the time of
   *  each event, or null where the record has none. */
  constructor(axis, arrays, events, clock) {
    Object.assign(this, { warps: axis.warps, single: axis.single, clock });
    this.begin = arrays["axis/begin"];
    this.end = arrays["axis/end"];
    this.doing = arrays["axis/doing"];
    this.lane = arrays["axis/lane"];
    this.batch = arrays["axis/batch"];
    this.warp = arrays["axis/row"] ?? events.warp;
    this.iteration = events.iteration;
    this.count = this.warp.length;
    this.atomic = new Uint8Array(this.count);
    for (const event of arrays["axis/atomic"]) this.atomic[event] = 1;
    this.first = startsOf(arrays["axis/warp"], this.warps);
    this.firstEvent = startsOf(this.warp, this.warps);
    this.events = new Uint32Array(this.count);
    const next = this.firstEvent.slice();
    for (let event = 0; event < this.count; ++event) this.events[next[this.warp[event]]++] = event;
  }

  /** When an event happened. */
  time(event) {
    return this.clock ? this.clock[event] : event;
  }

  get span() {
    return this.count ? this.time(this.count - 1) : 0;
  }

  /** The number of events up to a time. */
  eventsUntil(time) {
    return below(this.count, (event) => this.time(event) <= time);
  }

  /** The events of a warp, ascending. */
  eventsOf(warp) {
    return this.events.subarray(this.firstEvent[warp], this.firstEvent[warp + 1]);
  }

  /** The last event of a warp before `count` events have happened, or -1. */
  lastOf(warp, count) {
    const own = this.eventsOf(warp);
    const place = below(own.length, (i) => own[i] < count);
    return place ? own[place - 1] : -1;
  }

  /** What a warp does at a time. */
  doingAt(warp, time) {
    for (let i = this.first[warp]; i < this.first[warp + 1]; ++i) {
      if (time <= this.time(this.end[i])) return this.doing[i];
    }
    return DOING.IDLE;
  }

  /** The steps of a warp: [event, ...] each; the lanes of a step took part in one instruction. */
  stepsOf(warp) {
    const steps = [];
    let [last, lanes] = [-1, 0];
    for (const event of this.eventsOf(warp)) {
      const bit = 1 << this.lane[event];
      const same = last >= 0 && this.iteration[last] === this.iteration[event] && this.batch[last] === this.batch[event];
      if (!same || this.single || lanes & bit) {
        steps.push([]);
        lanes = 0;
      }
      steps.at(-1).push(event);
      lanes |= bit;
      last = event;
    }
    return steps;
  }
}

/** How many of the numbers from 0 come before the first that is not `inside`. */
export function below(count, inside) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inside(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where each warp's entries would begin if they were sorted by warp; one more for the end. */
function startsOf(warps, count) {
  const starts = new Uint32Array(count + 1);
  for (const warp of warps) starts[warp + 1] += 1;
  for (let warp = 0; warp < count; ++warp) starts[warp + 1] += starts[warp];
  return starts;
}
