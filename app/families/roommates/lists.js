// The lists of all people, and what has become of each place in them.  One array has all lists, most
// wanted first; each entry refers to its counterpart in the other's list.

/** What a place in a list can be; the order is that of importance. */
export const PLACE = { open: 0, deleted: 1, holds: 2, asks: 3, pair: 4 };

class Lists {
  /** `offsets`: where each person's list begins, and the end of the last; `people`: whom it names. */
  constructor(offsets, people) {
    this.offsets = offsets;
    this.people = people;
    this.owner = new Int32Array(people.length);
    this.mirror = new Int32Array(people.length);
    this.longest = 0;
    const [waiting, n] = [new Map(), offsets.length - 1];
    for (let p = 0; p < n; ++p) {
      this.longest = Math.max(this.longest, this.length(p));
      for (let e = offsets[p]; e < offsets[p + 1]; ++e) {
        this.owner[e] = p;
        const back = waiting.get(people[e] * n + p);
        if (back === undefined) waiting.set(p * n + people[e], e);
        else [this.mirror[e], this.mirror[back]] = [back, e];
      }
    }
  }

  length(person) {
    return this.offsets[person + 1] - this.offsets[person];
  }

  /** From 1, the best. */
  rank(entry) {
    return entry - this.offsets[this.owner[entry]] + 1;
  }

  /** The entry of `other` in the list of `person`, or -1. */
  entry(person, other) {
    const at = this.people.subarray(this.offsets[person], this.offsets[person + 1]).indexOf(other);
    return at < 0 ? -1 : this.offsets[person] + at;
  }

  /** What has become of an entry; before a run a state has no proposals. */
  placeOf(entry, { bid, last }) {
    if (!bid?.length) return PLACE.open;
    const back = this.mirror[entry];
    if (bid[entry]) return bid[back] ? PLACE.pair : PLACE.asks;
    if (bid[back]) return PLACE.holds;
    const stands = (one) => this.rank(one) <= last[this.owner[one]];
    return stands(entry) && stands(back) ? PLACE.open : PLACE.deleted;
  }

  /** [[other, rank]] in the order of the list. */
  neighbours(person) {
    const [first, end] = [this.offsets[person], this.offsets[person + 1]];
    return Array.from(this.people.subarray(first, end), (other, k) => [other, k + 1]);
  }
}

const known = new WeakMap(); // pictures and family ask for the same lists

/** The lists of a message: its arrays lists/offsets and lists/people. */
export function listsOf(arrays) {
  const people = arrays["lists/people"];
  if (!known.has(people)) known.set(people, new Lists(arrays["lists/offsets"], people));
  return known.get(people);
}
