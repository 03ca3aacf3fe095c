// From the layout's coordinates (y up) to the canvas's pixels, with zoom and pan.

/** Pixels kept free for the measures on the picture. */
const MARGIN = { side: 26, top: 52, bottom: 26 };
/** In narrower pictures the buttons are in a second line: the class wp-two-lines of the stage. */
export const TWO_LINES = 420;
/** Its pixels, with half a vertex. */
const SECOND_LINE = 44;
const MAX_ZOOM = 40;
/** About so many vertices are seen around those that are looked at; graphs with less than nine times
 *  as many are seen whole. */
const NEARBY = 16;
const LEAST_ZOOM = 3;
/** Above this many vertices, distances between all pairs take too long. */
const PAIRED = 2000;

export class Camera {
  constructor(x, y) {
    this.bounds = boundsOf(x, y);
    this.count = Math.max(1, x.length);
    this.spacing = spacingOf(x, y);
    this.width = this.height = 1;
    this.reset();
  }

  reset() {
    this.sight = this.whole;
  }

  /** The sight of the whole picture. */
  get whole() {
    const { left, right, bottom, top } = this.bounds;
    return { x: (left + right) / 2, y: (bottom + top) / 2, zoom: 1 };
  }

  /** What is seen: the place in the middle, and the zoom. */
  get sight() {
    const { x, y, zoom } = this;
    return { x, y, zoom };
  }

  set sight({ x, y, zoom }) {
    Object.assign(this, { x, y, zoom });
  }

  /** A sight of some vertices and of those around them; of the whole picture if that is small. */
  sightOf(x, y, vertices) {
    const pick = (values) => Float64Array.from(vertices, (vertex) => values[vertex]);
    const box = boundsOf(pick(x), pick(y));
    const { left, right, bottom, top } = this.bounds;
    const around = Math.sqrt(((right - left) * (top - bottom) * NEARBY) / this.count);
    const scale = this.scale / this.zoom;
    const across = this.width / scale / (box.right - box.left + around);
    const up = (this.height - this.#top - MARGIN.bottom) / scale / (box.top - box.bottom + around);
    const zoom = Math.min(across, up, MAX_ZOOM);
    if (!vertices.length || !(zoom >= LEAST_ZOOM)) return this.whole;
    return { x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2, zoom };
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  get #top() {
    return MARGIN.top + (this.width > TWO_LINES ? 0 : SECOND_LINE);
  }

  /** The pixel row on which the picture is centred. */
  get middle() {
    return (this.height + this.#top - MARGIN.bottom) / 2;
  }

  /** Pixels for one unit of the layout. */
  get scale() {
    const { left, right, bottom, top } = this.bounds;
    const across = (this.width - 2 * MARGIN.side) / Math.max(right - left, 1e-6);
    const up = (this.height - this.#top - MARGIN.bottom) / Math.max(top - bottom, 1e-6);
    return Math.max(1, Math.min(across, up, 600)) * this.zoom;
  }

  /** A vertex's radius: a share of the room, less for dense graphs, within limits. */
  get radius() {
    const { left, right, bottom, top } = this.bounds;
    const area = Math.max(right - left, 0.2) * Math.max(top - bottom, 0.2);
    const room = Math.sqrt(area / this.count) * (this.scale / this.zoom);
    const share = Math.min(room * 0.19, 13);
    const crowded = Math.max(0.5 * this.spacing * (this.scale / this.zoom), 0.45 * share, 2.8);
    return Math.max(1.6, Math.min(share, crowded)) * Math.sqrt(Math.min(this.zoom, 4));
  }

  /** Writes the pixel positions of all vertices. */
  project(x, y, outX, outY) {
    const scale = this.scale;
    for (let i = 0; i < x.length; ++i) {
      outX[i] = (x[i] - this.x) * scale + this.width / 2;
      outY[i] = this.middle - (y[i] - this.y) * scale;
    }
  }

  pan(dx, dy) {
    const { left, right, bottom, top } = this.bounds;
    this.x = clamp(this.x - dx / this.scale, left, right);
    this.y = clamp(this.y + dy / this.scale, bottom, top);
  }

  /** Zooms so that what lies under the pixel (px, py) stays there. */
  zoomAt(factor, px, py) {
    const zoom = clamp(this.zoom * factor, 1, MAX_ZOOM);
    const dx = px - this.width / 2;
    const dy = py - this.middle;
    const before = this.scale;
    this.zoom = zoom;
    if (zoom === 1) this.reset();
    else {
      this.x += dx / before - dx / this.scale;
      this.y -= dy / before - dy / this.scale;
    }
  }
}

/** Distance to the nearest other vertex; a quarter of the vertices have a smaller one. */
function spacingOf(x, y) {
  if (x.length < 2 || x.length > PAIRED) return Infinity;
  const nearest = new Float64Array(x.length).fill(Infinity);
  for (let i = 0; i < x.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const square = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2;
      if (square < nearest[i]) nearest[i] = square;
      if (square < nearest[j]) nearest[j] = square;
    }
  }
  nearest.sort();
  return Math.sqrt(nearest[Math.floor(x.length / 4)]);
}

function boundsOf(x, y) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < x.length; ++i) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    bottom = Math.min(bottom, y[i]);
    top = Math.max(top, y[i]);
  }
  return x.length ? { left, right, bottom, top } : { left: -1, right: 1, bottom: -1, top: 1 };
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
