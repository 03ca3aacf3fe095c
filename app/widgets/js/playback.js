// The clock of a replay: where it stands, how fast it goes.  Knows neither page nor picture.

/** Events a second that can be chosen. */
export const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000, 30000];
/** A whole replay should take about so many seconds at the speed that is set at first. */
const PLEASANT_SECONDS = 40;

export class Playback {
  /** `length` events; `iterations[i]` is event i's iteration; `changed(time)` is told of moves. */
  constructor(length, iterations, changed) {
    this.length = length;
    this.changed = changed;
    this.time = 0;
    this.fraction = 0; // of the next event, while playing
    this.playing = false;
    this.stops = stopsOf(iterations);
    this.speed = SPEEDS.find((speed) => length / speed <= PLEASANT_SECONDS) ?? SPEEDS.at(-1);
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
    this.moveTo(this.time + direction);
  }

  /** To the next (or last) place where a new iteration begins. */
  leap(direction) {
    this.pause();
    const places = direction > 0 ? this.stops : [...this.stops].reverse();
    const next = places.find((stop) => (stop - this.time) * direction > 0);
    this.moveTo(next ?? (direction > 0 ? this.length : 0));
  }

  play() {
    if (this.time >= this.length) this.moveTo(0);
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

  /** Lets `seconds` go by. */
  advance(seconds) {
    if (!this.playing) return;
    const exact = this.fraction + seconds * this.speed;
    const whole = Math.floor(exact);
    if (whole > 0) this.moveTo(this.time + whole);
    this.fraction = exact - whole;
    if (this.time >= this.length) this.pause();
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
