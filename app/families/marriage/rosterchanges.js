// Finds the cards that changed since they were drawn: an event changes a few, and hundreds of others
// need not be drawn again.

const FIELDS = ["mate", "place", "aim", "classes"];

export class RosterChanges {
  /** People whose cards have to be redrawn for these marks; null for all. */
  take(marks, lists) {
    const { drawn } = this;
    this.drawn = Object.fromEntries([...FIELDS, "held"].map((name) => [name, marks[name]?.slice()]));
    this.drawn.differing = marks.differing ?? [];
    if (!drawn) return null;
    const dirty = new Set(exchanged(drawn.differing, this.drawn.differing));
    const differs = (v) => FIELDS.some((name) => marks[name] && marks[name][v] !== drawn[name]?.[v]);
    for (let v = 0; v < marks.mate.length; ++v) {
      if (!differs(v)) continue;
      for (const { mate, aim } of [drawn, marks]) for (const other of [v, mate?.[v], aim?.[v]]) dirty.add(other);
      const [one, other] = [drawn.place?.[v] ?? 0, marks.place?.[v] ?? 0];
      const last = Math.min(lists.length(v), Math.max(one, other));
      for (let k = Math.min(one, other); k < last; ++k) dirty.add(lists.at(v, k));
    }
    for (let e = 0; e < (marks.held?.length ?? 0); ++e) {
      if (marks.held[e] === (drawn.held?.[e] ?? 0)) continue;
      dirty.add(lists.people[e]).add(lists.people[lists.mirror[e]]);
    }
    dirty.delete(undefined);
    dirty.delete(-1);
    return dirty;
  }

  /** The next picture is redrawn completely. */
  forget() {
    this.drawn = undefined;
  }
}

/** The elements that are in only one of two lists. */
function exchanged(one, other) {
  const [first, second] = [new Set(one), new Set(other)];
  return [...one.filter((v) => !second.has(v)), ...other.filter((v) => !first.has(v))];
}
