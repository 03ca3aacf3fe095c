// Which part of a run the axis of warps shows: a part of its time, and some of its warps. It does not
// depend on page or picture.

/** Parts of the run's time, or of its events, that can still be seen apart. */
const DEEPEST = 1e-5;

export class AxisCamera {
  /** `span`: the length of the axis; `warps`: how many there are. */
  constructor(span, warps) {
    this.span = span;
    this.warps = warps;
    this.reset();
  }

  reset() {
    [this.from, this.to] = [0, this.span];
    [this.first, this.last] = [0, this.warps];
  }

  get whole() {
    return this.from === 0 && this.to === this.span && this.first === 0 && this.last === this.warps;
  }

  /** The time at a part of the width, and the part at a time. */
  timeAt(part) {
    return this.from + part * (this.to - this.from);
  }

  partAt(time) {
    return (time - this.from) / (this.to - this.from);
  }

  /** Shows a `factor`-th of the time around a part of the width that stays in its place. */
  zoomAt(factor, part = 0.5) {
    const wide = Math.min(this.span, Math.max(this.span * DEEPEST, (this.to - this.from) / factor));
    const from = this.timeAt(part) - part * wide;
    this.#place(from, wide);
  }

  /** Shows the time between two moments, and a little more. */
  showTime(from, to) {
    const wide = Math.min(this.span, Math.max(this.span * DEEPEST, 1.08 * (to - from)));
    this.#place(from - 0.04 * wide, wide);
  }

  /** Moves on by parts of the width; back where they are negative. */
  pan(parts) {
    const wide = this.to - this.from;
    this.#place(this.from + parts * wide, wide);
  }

  #place(from, wide) {
    this.from = Math.max(0, Math.min(this.span - wide, from));
    this.to = Math.min(this.span, this.from + wide);
  }

  /** Shows `count` warps around one. */
  showWarps(warp, count) {
    const many = Math.max(1, Math.min(this.warps, Math.round(count)));
    this.first = Math.max(0, Math.min(this.warps - many, Math.round(warp - many / 2)));
    this.last = this.first + many;
  }

  /** Brings a time and a warp into view, if they are outside. */
  follow(time, warp) {
    const wide = this.to - this.from;
    if (time < this.from || time > this.to) this.#place(time - wide / 2, wide);
    if (warp < this.first || warp >= this.last) this.showWarps(warp, this.last - this.first);
  }
}
