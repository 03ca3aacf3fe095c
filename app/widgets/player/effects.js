// Which events are in motion, and how far each is.

import { lineKey } from "../lib/changes.js";

const LONGEST = 800; // milliseconds
const SHORTEST = 260;
const AT_ONCE = 48; // more moving events are only a blur
const FADE = 0.35; // of its time an event stays visible after its motion, while others follow

export class Effects {
  /** `effectsOf(event)` gives the family's effects of an event. */
  constructor(effectsOf) {
    this.effectsOf = effectsOf;
    this.running = [];
  }

  /** Sets events `first` to `end` - 1 in motion; `interval` is the time between events. */
  start(first, end, now, interval) {
    const time = Math.max(SHORTEST, Math.min(LONGEST, interval * 0.9));
    for (const one of this.running) one.last = false;
    for (let event = Math.max(first, end - AT_ONCE); event < end; ++event) {
      const effects = this.effectsOf(event);
      this.running.push({ effects, born: now, time, last: event === end - 1 });
    }
    this.running = this.running.slice(-AT_ONCE);
  }

  /** Shows one event as it is when its motion is over; -1 for none. */
  rest(event) {
    const effects = event >= 0 ? this.effectsOf(event) : [];
    this.running = [{ effects, born: -Infinity, time: 1, last: true }];
  }

  moving(now) {
    return this.running.some(({ born, time, last }) => now - born < time * (last ? 1 : 1 + FADE));
  }

  /** Returns the effects to draw, and the vertices whose arrows they replace; an effect that is
   *  `alone` replaces only its line. */
  at(now) {
    this.running = this.running.filter(
      ({ born, time, last }) => last || now - born < time * (1 + FADE),
    );
    const active = [];
    const hidden = new Set();
    for (const { effects, born, time, last } of this.running) {
      const whole = (now - born) / time;
      const progress = Math.max(0, Math.min(1, whole));
      const alpha = last || whole <= 1 ? 1 : Math.max(0, 1 - (whole - 1) / FADE);
      for (const effect of effects) {
        active.push({ effect, progress, alpha });
        const { from, to, alone, end } = effect;
        if (from !== undefined && progress < end) hidden.add(alone ? lineKey(from, to) : from);
      }
    }
    return { active, hidden };
  }
}
