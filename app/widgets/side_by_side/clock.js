// One clock for several replays.  Tables map its positions to events, one table for each replay; the
// page process makes them (app/clock.py).  It does not depend on page or picture.

/** Positions a second that can be chosen. */
export const RATES = [1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000, 30000];
/** Seconds that all of it should take at the initial speed. */
const PLEASANT_SECONDS = 40;

export class Clock {
  /** `tables[k][position]` is the number of events of replay k; `moved()` is called after moves. */
  constructor(tables, moved) {
    this.moved = moved;
    this.playing = false;
    this.position = 0;
    this.fraction = 0; // of the next position, while playing
    this.loop = null; // {from, to}: positions that are played again and again
    this.setTables(tables);
    this.rate = RATES.find((rate) => this.length / rate <= PLEASANT_SECONDS) ?? RATES.at(-1);
  }

  /** Changes to another alignment, at its start. */
  setTables(tables) {
    this.tables = tables;
    this.length = tables.length ? tables[0].length - 1 : 0;
  }

  /** Number of events of replay `k` at the current position. */
  time(k) {
    return this.tables[k][this.position];
  }

  /** The first position at which `time` events of replay `k` have happened. */
  positionOf(k, time) {
    const table = this.tables[k];
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (table[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  moveTo(position) {
    this.position = Math.max(0, Math.min(this.length, Math.round(position)));
    this.fraction = 0;
    this.moved();
  }

  step(direction) {
    this.playing = false;
    this.moveTo(this.position + direction);
  }

  toggle() {
    this.playing = !this.playing && this.length > 0;
    this.fraction = 0;
    const { from, to } = this.loop ?? { from: 0, to: this.length };
    if (this.playing && (this.position >= to || this.position < from)) this.position = from;
    this.moved();
  }

  faster(direction) {
    const place = RATES.indexOf(this.rate) + direction;
    if (place >= 0 && place < RATES.length) this.rate = RATES[place];
    this.moved();
  }

  /** Advances the clock by `seconds`. */
  advance(seconds) {
    if (!this.playing) return;
    const exact = this.fraction + seconds * this.rate;
    const whole = Math.floor(exact);
    const end = this.loop?.to ?? this.length;
    if (!this.loop && this.position + whole >= end) this.playing = false;
    if (whole > 0) this.moveTo(this.loop && this.position >= end ? this.loop.from : Math.min(this.position + whole, end));
    this.fraction = exact - whole;
  }
}
