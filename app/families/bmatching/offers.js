// The offers that vertices hold: entries of the graph's lists of neighbours, one for each direction
// of an edge.

export class Offers {
  /** `arrays` of the message; `state`: the state before the first event, or that of a result. */
  constructor(arrays, state) {
    this.indptr = arrays["lists/indptr"];
    this.indices = arrays["lists/indices"];
    this.weight = arrays["lists/weight"];
    this.twin = twinsOf(this.indptr, this.indices);
    this.largest = this.weight.reduce((most, w) => Math.max(most, w), 0);
    const n = this.indptr.length - 1;
    /** How many offers each vertex holds, and how many of them are mutual. */
    this.count = new Int32Array(n);
    this.mutual = new Int32Array(n);
    this.given = state.mates ? this.#ofMates(state) : null;
  }

  /** The entries of a state, 1 where the row's vertex holds the offer. */
  of(state) {
    return this.given ?? state.offer;
  }

  /** Counts the offers of a state; calls `link(u, v)` for mutual ones, u < v, and `arrow(u, v)`
   *  where v holds the offer of u, but u not that of v. */
  tally(state, link, arrow) {
    const { indptr, indices, twin, count, mutual } = this;
    const held = this.of(state);
    count.fill(0);
    mutual.fill(0);
    if (!held.length) return;
    for (let v = 0; v < count.length; ++v) {
      for (let e = indptr[v]; e < indptr[v + 1]; ++e) {
        const [here, there] = [held[e], held[twin[e]]];
        count[v] += here;
        if (here && there) {
          mutual[v] += 1;
          if (v < indices[e]) link(v, indices[e]);
        } else if (there) arrow(v, indices[e]);
      }
    }
  }

  /** The offers that a vertex holds, the best first: [{entry, from, weight, mutual}]. */
  stack(state, vertex) {
    const { indptr, indices, twin, weight } = this;
    const held = this.of(state);
    const found = [];
    for (let e = indptr[vertex]; e < indptr[vertex + 1]; ++e) {
      if (held[e]) found.push({ from: indices[e], weight: weight[e], mutual: held[twin[e]] === 1 });
    }
    return found.sort((one, other) => other.weight - one.weight || other.from - one.from);
  }

  /** Whether `holder` holds the offer of `proposer`. */
  holds(state, holder, proposer) {
    const entry = this.entry(holder, proposer);
    return entry >= 0 && this.of(state)[entry] === 1;
  }

  /** The place of a neighbour in the list of a vertex, or -1. */
  entry(vertex, other) {
    let [low, high] = [this.indptr[vertex], this.indptr[vertex + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.indices[middle] < other) low = middle + 1;
      else high = middle;
    }
    return low < this.indptr[vertex + 1] && this.indices[low] === other ? low : -1;
  }

  /** A result without a record has the mates of every vertex instead of entries. */
  #ofMates({ starts, mates }) {
    const held = new Int32Array(this.indices.length);
    for (let v = 0; v + 1 < starts.length; ++v) {
      for (let i = starts[v]; i < starts[v + 1]; ++i) held[this.entry(v, mates[i])] = 1;
    }
    return held;
  }
}

/** For each entry (u, v) the entry (v, u); rows are sorted by neighbour. */
function twinsOf(indptr, indices) {
  const next = indptr.slice(0, -1);
  const twin = new Int32Array(indices.length);
  for (let e = 0; e < indices.length; ++e) twin[e] = next[indices[e]]++;
  return twin;
}
