// Fewer pixels while frames come too late: on a dense screen a picture has four times as many pixels,
// a difference that cannot be seen in motion.  At rest the picture has full resolution.

const LATE = 28; // milliseconds from frame to frame on average; more than that stutters
const WATCHED = 30; // frames
const DENSEST = 2;

export class Budget {
  constructor() {
    this.coarse = false;
    this.#restart();
  }

  /** Pixels of the canvas for one of the page's. */
  get ratio() {
    const own = Math.min(globalThis.devicePixelRatio || 1, DENSEST);
    return this.coarse ? Math.min(own, 1) : own;
  }

  /** Counts a frame; returns whether the ratio has changed. */
  frame(now, playing) {
    const before = this.ratio;
    if (!playing) {
      this.coarse = false;
      this.#restart();
    } else if (this.begin === undefined) {
      this.begin = now;
    } else if (++this.count === WATCHED) {
      this.coarse ||= (now - this.begin) / WATCHED > LATE;
      this.#restart();
    }
    return this.ratio !== before;
  }

  #restart() {
    this.begin = undefined;
    this.count = 0;
  }
}
