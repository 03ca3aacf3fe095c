// The edges of the whole graph, each once, in the order of their first ends: u[e] < v[e].  The
// edges of a vertex are found by searching: no index has to be made or kept.

export class Edges {
  constructor(u, v, weight) {
    this.u = u;
    this.v = v;
    this.weight = weight;
  }

  /** [[neighbour, weight]] of a vertex, the heaviest edge first. */
  of(vertex) {
    const { u, v, weight } = this;
    const found = [];
    for (let e = this.#firstOf(vertex); u[e] === vertex; ++e) found.push([v[e], weight[e]]);
    // The built-in search is fast from the first call; a loop is only after compilation.
    for (let e = v.indexOf(vertex); e >= 0; e = v.indexOf(vertex, e + 1)) found.push([u[e], weight[e]]);
    return found.sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  }

  /** Numbers of the edges with both ends among the vertices of a Map or Set. */
  among(vertices) {
    const { u, v } = this;
    const found = [];
    for (const vertex of vertices.keys()) {
      for (let e = this.#firstOf(vertex); u[e] === vertex; ++e) if (vertices.has(v[e])) found.push(e);
    }
    return found;
  }

  /** Where the edges begin whose first end is this vertex, or a later one. */
  #firstOf(vertex) {
    let [low, high] = [0, this.u.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.u[middle] < vertex) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
