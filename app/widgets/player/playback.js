// The clock of a replay: position and speed.  It does not depend on page or picture.

/** Events a second that can be chosen. */
export const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000, 30000];
/** Seconds that a whole replay should take at the initial speed. */
const PLEASANT_SECONDS = 40;

export class Playback {
  /** `length` events; `iterations[i]` is event i's iteration; `changed(time)` is called after moves.
   *  `fine[i]` says that event i is a detail, which is passed over while `folded`; null: there are none. */
  constructor(length, iterations, changed, fine = null) {
    this.length = length;
    this.fine = fine;
    this.folded = Boolean(fine);
    this.changed = changed;
    this.time = 0;
    this.fraction = 0; // of the next event, while playing
    this.playing = false;
    this.loop = null; // {from, to, name}: times that are played again and again
    this.stops = stopsOf(iterations);
    this.speed = SPEEDS.find((speed) => this.#shown / speed <= PLEASANT_SECONDS) ?? SPEEDS.at(-1);
  }

  moveTo(time) {
    const target = Math.max(0, Math.min(this.length, Math.round(time)));
    this.fraction = 0;
    if (target === this.time) return;
    const before = this.time;
    this.time = target;
    this.changed(target, before);
  }

  step(direction) {
    this.pause();
    this.moveTo(this.#after(this.time, direction));
  }

  /** Number of events that are played. */
  get #shown() {
    return this.folded ? this.fine.reduce((count, fine) => count - fine, this.length) : this.length;
  }

  /** The time one event on, or back; while folded, one that is no detail. */
  #after(time, direction) {
    let next = time + direction;
    while (this.folded && next > 0 && next < this.length && this.fine[next - 1]) next += direction;
    return next;
  }

  /** To the next (or last) place where a new iteration begins. */
  leap(direction) {
    this.pause();
    const places = direction > 0 ? this.stops : [...this.stops].reverse();
    const next = places.find((stop) => (stop - this.time) * direction > 0);
    this.moveTo(next ?? (direction > 0 ? this.length : 0));
  }

  play() {
    const { from, to } = this.loop ?? { from: 0, to: this.length };
    if (this.time >= to || this.time < from) this.moveTo(from);
    this.playing = this.length > 0;
  }

  pause() {
    this.playing = false;
    this.fraction = 0;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  faster(direction) {
    const place = SPEEDS.indexOf(this.speed) + direction;
    if (place >= 0 && place < SPEEDS.length) this.speed = SPEEDS[place];
  }

  /** Loops over "everything", the current "iteration", or not at all. */
  setLoop(name) {
    if (name === "everything") this.loop = { from: 0, to: this.length, name };
    else if (name === "iteration") this.loop = { ...this.#iteration(), name };
    else if (name !== "part") this.loop = null;
  }

  nextLoop() {
    const names = ["off", "everything", "iteration"];
    this.setLoop(names[(names.indexOf(this.loop?.name ?? "off") + 1) % names.length]);
  }

  /** The loop begins, or ends, at the position of the replay. */
  loopFrom() {
    const to = this.loop && this.loop.to > this.time ? this.loop.to : this.length;
    if (this.time < to) this.loop = { from: this.time, to, name: "part" };
  }

  loopTo() {
    const from = this.loop && this.loop.from < this.time ? this.loop.from : 0;
    if (this.time > from) this.loop = { from, to: this.time, name: "part" };
  }

  #iteration() {
    const from = this.stops.findLast((stop) => stop <= this.time) ?? 0;
    const to = this.stops.find((stop) => stop > this.time) ?? this.length;
    return from < to ? { from, to } : { from: this.stops.at(-1) ?? 0, to };
  }

  /** Advances the clock by `seconds`. */
  advance(seconds) {
    if (!this.playing) return;
    const exact = this.fraction + seconds * this.speed;
    const whole = Math.floor(exact);
    const end = this.loop?.to ?? this.length;
    let next = this.time;
    for (let i = 0; i < whole && next < end; ++i) next = this.#after(next, 1);
    if (whole > 0) this.moveTo(this.loop && this.time >= end ? this.loop.from : Math.min(next, end));
    this.fraction = exact - whole;
    if (!this.loop && this.time >= this.length) this.pause();
  }
}

/** Times at which an iteration is reached that no warp had been in before. */
function stopsOf(iterations) {
  const stops = [];
  let highest = -1;
  for (let i = 0; i < iterations.length; ++i) {
    if (iterations[i] > highest) {
      highest = iterations[i];
      stops.push(i);
    }
  }
  return stops;
}
