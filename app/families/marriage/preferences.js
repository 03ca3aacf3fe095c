// Preference lists of two sides, and what has become of each place in them.  One array
// has all lists, most preferred first; each entry refers to its counterpart in the other list.

/** What a place in a list can be. */
export const PLACE = { open: 0, partner: 1, refused: 2, passed: 3, left: 4, closed: 5, asked: 6 };

class Lists {
  /** `offsets`: where each person's list begins, and the end of the last; `people`: whom it names. */
  constructor(offsets, people) {
    this.offsets = offsets;
    this.people = people;
    this.mirror = mirrored(offsets, people);
    this.longest = 0;
    for (let v = 0; v + 1 < offsets.length; ++v) this.longest = Math.max(this.longest, this.length(v));
  }

  length(person) {
    return this.offsets[person + 1] - this.offsets[person];
  }

  at(person, place) {
    return this.people[this.offsets[person] + place];
  }

  /** From 1, the best; 0 where the list does not name the other one. */
  rank(person, other) {
    const [first, end] = [this.offsets[person], this.offsets[person + 1]];
    for (let i = first; i < end; ++i) if (this.people[i] === other) return i - first + 1;
    return 0;
  }

  /** The number of an entry's pair: men come first, so it is the entry of the man. */
  pair(entry) {
    return entry < this.mirror[entry] ? entry : this.mirror[entry];
  }

  /** The partners among those that a person lists, where `held` says which pairs are engaged. */
  partners(person, held) {
    return this.neighbours(person).filter((_, k) => held[this.pair(this.offsets[person] + k)]);
  }

  /** [[other, rank]] in the order of the list. */
  neighbours(person) {
    const [first, end] = [this.offsets[person], this.offsets[person + 1]];
    return Array.from(this.people.subarray(first, end), (other, k) => [other, k + 1]);
  }
}

const known = new WeakMap(); // picture and family ask for the same lists

/** The lists of a message: its arrays lists/offsets and lists/people. */
export function listsOf(arrays) {
  const people = arrays["lists/people"];
  if (!known.has(people)) known.set(people, new Lists(arrays["lists/offsets"], people));
  return known.get(people);
}

/** For each entry (a's list names b) the one where b's list names a. */
function mirrored(offsets, people) {
  const mirror = new Int32Array(people.length).fill(-1);
  const waiting = new Map(); // entries whose counterpart has not been met, by pair
  const count = offsets.length - 1;
  for (let v = 0; v < count; ++v) {
    for (let i = offsets[v]; i < offsets[v + 1]; ++i) {
      const other = people[i];
      const back = waiting.get(other * count + v);
      if (back === undefined) waiting.set(v * count + other, i);
      else [mirror[i], mirror[back]] = [back, i];
    }
  }
  return mirror;
}

/** What has become of every place in a person's list: fills and returns `out`.
 *
 *  `marks`: lists, mate and, where proposals are known, place, aim, fates (how each entry of a
 *  proposer's list ended, if it did) and proposes(person); held, where people may have several
 *  partners: which pairs are engaged. */
export function entriesOf(person, marks, out) {
  const { lists, mate, held } = marks;
  const length = lists.length(person);
  const proposes = marks.proposes(person);
  const rank = mate[person] >= 0 ? lists.rank(person, mate[person]) : 0;
  for (let k = 0; k < length; ++k) {
    const entry = lists.offsets[person] + k;
    const other = lists.people[entry];
    // A hospital is named by its residents, and names none of them.
    if (k + 1 === rank || mate[other] === person || held?.[lists.pair(entry)]) out[k] = PLACE.partner;
    else if (proposes) out[k] = asked(person, k, entry, marks);
    else {
      const theirs = lists.mirror[entry];
      out[k] = asked(other, theirs - lists.offsets[other], theirs, marks);
      if (out[k] === PLACE.open && rank && k >= rank && marks.place?.[person]) out[k] = PLACE.closed;
    }
  }
  return out;
}

/** What has become of the place `k` of a proposer's list, unless it is that of the partner. */
function asked(person, k, entry, { lists, place, aim, fates }) {
  if (aim && aim[person] === lists.people[entry]) return PLACE.asked;
  return place && k < place[person] ? fates[entry] || PLACE.passed : PLACE.open;
}
