// What is written beside the rails: names of rows and columns, turned where the rails lie and the
// names are longer than the distance of vertices, or numbers where they do not fit into the vertices; at least those of the last event.

const LONGEST = 20; // letters
const LINE = 13; // pixels that a name needs along the rail
const TURN = Math.PI / 3.2;

export class RailNames {
  /** `view` knows where vertices are: X, Y, radius, camera, theme, selected, looked, rows. */
  constructor(meta, view) {
    this.view = view;
    this.own = meta.names;
    const letters = (meta.names ?? []).reduce((most, name) => Math.max(most, name.length), 0);
    this.length = letters && 7 * Math.min(LONGEST, letters) + 6; // pixels
  }

  #text(vertex) {
    const name = this.own?.[vertex] ?? String(this.view.numberOf(vertex));
    return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  }

  /** Names at regular distances, so that none covers the next. */
  place() {
    const { camera, X } = this.view;
    this.ranks ??= ranksOf(camera);
    this.turned = Boolean(this.own) && this.length > camera.spacing - 8;
    const need = this.turned || camera.standing ? LINE : 2 * LINE; // what is not turned lies across
    const step = Math.max(1, Math.ceil(need / camera.spacing));
    this.placed = [...X.keys()].filter((v) => this.ranks[v] % step === 0);
  }

  draw(context, effects) {
    const { view } = this;
    const looked = view.looked ?? [];
    const crowded = this.own && view.camera.crowded; // the sentence below also has the names
    if (crowded && !looked.length) return;
    const about = new Set(crowded ? [] : effects.flatMap(({ effect }) => [effect.from, effect.to, effect.at]));
    for (const v of [view.selected, ...looked]) about.add(v);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = view.theme.ground;
    const bold = [...about].filter((v) => v >= 0);
    context.font = `500 11.5px ${view.theme.font}`;
    context.fillStyle = view.theme.soft;
    for (const v of crowded ? [] : this.placed) if (!about.has(v) && this.#free(v, bold)) this.#write(context, v);
    context.font = `700 12px ${view.theme.font}`;
    context.fillStyle = view.theme.text;
    for (const v of bold) this.#write(context, v);
  }

  /** Whether no bold name stands where this one would. */
  #free(vertex, bold) {
    const { X, Y, camera, rows } = this.view;
    const along = camera.standing ? Y : X;
    const near = this.turned ? LINE : 1.6 * LINE;
    return bold.every((v) => v < rows !== vertex < rows || Math.abs(along[v] - along[vertex]) >= near);
  }

  /** Away from the other rail, or towards it where there is no room. */
  #write(context, vertex) {
    const { X, Y, radius, camera, rows } = this.view;
    const outward = vertex < rows === !(this.own && camera.crowded) ? 1 : -1;
    const away = outward * (radius + 13);
    const text = this.#text(vertex);
    context.save();
    if (camera.standing) {
      context.textAlign = outward > 0 ? "left" : "right";
      context.translate(X[vertex] + away, Y[vertex]);
    } else {
      const turned = this.turned && !camera.crowded;
      context.textAlign = turned ? "left" : "center";
      context.translate(X[vertex] + (turned ? -3 : 0), Y[vertex] + away);
      if (turned) context.rotate(outward * TURN);
    }
    context.strokeText(text, 0, 0);
    context.fillText(text, 0, 0);
    context.restore();
  }
}

/** How many vertices of its rail are before each one. */
function ranksOf({ place, rows }) {
  const ranks = new Int32Array(place.length);
  for (const [first, end] of [[0, rows], [rows, place.length]]) {
    const side = Array.from({ length: end - first }, (_, i) => first + i);
    side.sort((one, other) => place[one] - place[other] || one - other);
    side.forEach((v, rank) => (ranks[v] = rank));
  }
  return ranks;
}
