// Finds the events of a vertex, a warp or a kind, and the next of them.

const COLUMNS = ["a", "b", "c"];

export class EventIndex {
  /** `sentences` by kind say which columns are vertices: "{b}" is one, "{b#}" is a number. */
  constructor(events, sentences) {
    this.events = events;
    this.length = events.kind.length;
    this.columns = Array.from({ length: 256 }, (_, kind) =>
      COLUMNS.filter((name) => sentences[kind]?.includes(`{${name}}`)),
    );
  }

  /** The vertices that an event is about. */
  about(event) {
    return this.columns[this.events.kind[event]].map((name) => this.events[name][event]);
  }

  /** A vertex's events in order, as numbers of events.  They are searched for, which the browser
   *  does in a millisecond or two: an index would have to be made first, and kept. */
  ofVertex(vertex) {
    if (this.last?.vertex !== vertex) this.last = { vertex, events: this.#find(vertex) };
    return this.last.events;
  }

  #find(vertex) {
    const found = new Set();
    for (const name of COLUMNS) {
      const column = this.events[name];
      for (let i = column.indexOf(vertex); i >= 0; i = column.indexOf(vertex, i + 1)) {
        if (this.columns[this.events.kind[i]].includes(name)) found.add(i);
      }
    }
    return Uint32Array.from(found).sort();
  }

  /** Numbers of the events of a choice {kind, vertex, warp}, each -1 for any; null for all. */
  select({ kind = -1, vertex = -1, warp = -1 }) {
    if (kind < 0 && vertex < 0 && warp < 0) return null;
    const { events } = this;
    const fits = (i) => (kind < 0 || events.kind[i] === kind) && (warp < 0 || events.warp[i] === warp);
    if (vertex >= 0) return this.ofVertex(vertex).filter(fits);
    const found = new Uint32Array(this.length);
    let count = 0;
    for (let i = 0; i < this.length; ++i) if (fits(i)) found[count++] = i;
    return found.slice(0, count);
  }

  /** The time just after the next (1) or last (-1) event of a selection, or -1 if there is none. */
  jump(selection, time, direction) {
    const count = selection?.length ?? this.length;
    const place = direction > 0 ? placeOf(selection, time) : placeOf(selection, time - 1) - 1;
    if (place < 0 || place >= count) return -1;
    return (selection ? selection[place] : place) + 1;
  }
}

/** How many events of a selection have happened at a time; null selects all. */
export function placeOf(selection, time) {
  if (!selection) return Math.max(0, time);
  let [low, high] = [0, selection.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (selection[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
