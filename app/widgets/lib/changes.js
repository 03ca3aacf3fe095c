// The content of a state's picture, and its difference from the last picture.

/** Looks from this number on are colours of warps; lower ones are the family's styles. */
export const WARP = 128;
const HALO = 256; // added to a look: the vertex differs in the run beside this one

/** Stands for one line among the hidden vertices, which have no negative numbers. */
export function lineKey(from, to) {
  return -1 - (from * 2 ** 26 + to);
}

function isHidden(hidden, from, to, ends) {
  return hidden.has(from) || (ends && hidden.has(to)) || hidden.has(lineKey(from, to));
}

/** Flat arrays of vertex pairs: those to draw now, and those drawn before. */
class Pairs {
  constructor() {
    this.now = new Int32Array(64);
    this.before = new Int32Array(64);
    this.count = this.countBefore = 0;
  }

  /** Takes the pairs that are to be drawn, less those of hidden vertices and hidden lines; with
   *  `ends`, the second of a pair can be hidden, too. */
  take(pairs, hidden, ends) {
    [this.now, this.before] = [this.before, this.now];
    this.countBefore = this.count;
    if (this.now.length < pairs.length) this.now = new Int32Array(2 * pairs.length);
    const { now } = this;
    let count = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      if (hidden.size && isHidden(hidden, pairs[i], pairs[i + 1], ends)) continue;
      now[count] = pairs[i];
      now[count + 1] = pairs[i + 1];
      count += 2;
    }
    this.count = count;
  }

  /** Calls `act` with the pairs that were added or removed: a merge, since families list vertices in order.
   *  Out of order it reports more pairs than necessary, never fewer. */
  differing(act) {
    const { now, before, count, countBefore } = this;
    let i = 0;
    let j = 0;
    while (i < countBefore || j < count) {
      const old = i < countBefore ? before[i] : Infinity;
      const fresh = j < count ? now[j] : Infinity;
      if (old === fresh && before[i + 1] === now[j + 1]) {
        i += 2;
        j += 2;
        continue;
      }
      if (old <= fresh) {
        act(old, before[i + 1]);
        i += 2;
      }
      if (fresh <= old) {
        act(fresh, now[j + 1]);
        j += 2;
      }
    }
  }
}

export class Changes {
  constructor(vertices) {
    this.links = new Pairs();
    this.arrows = new Pairs();
    this.looks = new Uint16Array(vertices);
    this.looksBefore = new Uint16Array(vertices);
    this.halos = 0;
    this.chain = [];
  }

  /** Takes the next picture: `marks` of the family, `hidden` vertices whose lines are not drawn,
   *  the `chain` that is lit, and the number of warps' colours, 0 for the colours of states. */
  take(marks, hidden, chain, colours) {
    this.links.take(marks.links, hidden, true);
    this.arrows.take(marks.arrows, hidden, false);
    [this.looks, this.looksBefore] = [this.looksBefore, this.looks];
    const { looks } = this;
    const { classes, warps, differing } = marks;
    this.tinted = Boolean(marks.tints);
    for (let v = 0; v < looks.length; ++v) {
      looks[v] = colours && warps[v] >= 0 ? WARP + (warps[v] % colours) : classes[v];
    }
    for (const v of differing ?? []) looks[v] |= HALO;
    this.halos = differing?.length ?? 0;
    [this.chain, this.chainBefore] = [chain, this.chain];
  }

  look(vertex) {
    return this.looks[vertex] & (HALO - 1);
  }

  hasHalo(vertex) {
    return this.looks[vertex] >= HALO;
  }

  /** Calls `line(from, to)` and `dot(vertex)` wherever the picture has changed. */
  each(line, dot) {
    this.links.differing(line);
    this.arrows.differing(line);
    const { looks, looksBefore } = this;
    for (let v = 0; v < looks.length; ++v) if (looks[v] !== looksBefore[v]) dot(v);
    if (this.tinted) this.#eachRecoloured(line);
    if (sameSteps(this.chain, this.chainBefore)) return;
    for (const { from, to, lost } of [...this.chain, ...this.chainBefore]) {
      line(from, to);
      if (lost >= 0) line(to, lost);
    }
  }

  /** A line has the tint of its vertices, so their looks are compared, too. */
  #eachRecoloured(line) {
    const { looks, looksBefore } = this;
    const { now, count } = this.links;
    for (let i = 0; i < count; i += 2) {
      if (looks[now[i]] !== looksBefore[now[i]]) line(now[i], now[i + 1]);
    }
  }
}

function sameSteps(one, other) {
  const same = ({ from, to, lost }, i) =>
    from === other[i].from && to === other[i].to && lost === other[i].lost;
  return one.length === other.length && one.every(same);
}
