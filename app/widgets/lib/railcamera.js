// From places on two rails to pixels.  The rails lie across a wide picture, columns above rows, and
// stand in a narrow one, columns left of rows; zoom and pan go along them only.

import { TWO_LINES } from "./camera.js";

const MAX_ZOOM = 30;
const LARGEST = 15; // radius of a vertex
const WIDEST = 72; // pixels between neighbours; few vertices stay close together
const APART = 430; // pixels between the rails at most
/** Rails nearer to each other than this have no names beside them: lying ones, and standing ones. */
const NARROW = [130, 64];
const FREE = { begin: 100, end: 30, top: 126, bottom: 30 }; // for titles, measures and half a vertex

export class RailCamera {
  /** `place`: where on its rail each vertex is, -1 to 1; the first `rows` vertices are rows;
   *  `names`: pixels that the vertices' names are long, 0 if they have none. */
  constructor(place, rows, names) {
    this.place = place;
    this.rows = rows;
    this.names = names;
    this.most = Math.max(2, rows, place.length - rows);
    this.width = this.height = 1;
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.middle = 0;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  get standing() {
    return this.width < 0.9 * this.height;
  }

  get mostZoom() {
    return MAX_ZOOM;
  }

  /** The first and the last pixel that the rails may use. */
  get #room() {
    if (this.standing) return [FREE.top, this.height - FREE.bottom];
    return [FREE.begin, this.width - FREE.end - 0.45 * this.#named];
  }

  /** Pixels of the fuller rail from its first vertex to its last, as long as it is not zoomed. */
  get length() {
    const [first, last] = this.#room;
    return Math.max(20, Math.min(last - first, WIDEST * (this.most - 1)));
  }

  get centre() {
    const [first, last] = this.#room;
    return (first + last) / 2;
  }

  /** Pixels from one vertex of the fuller rail to the next. */
  get spacing() {
    return (this.length / (this.most - 1)) * this.zoom;
  }

  get radius() {
    return Math.max(1.6, Math.min(LARGEST, 0.4 * this.spacing));
  }

  /** Whether there is no room for names. */
  get crowded() {
    return this.#apart(this.names) < NARROW[Number(this.standing)];
  }

  /** Pixels across the rails that are available for names. */
  get #named() {
    return this.crowded ? 0 : this.names;
  }

  get #across() {
    if (this.standing) return [this.width, 0];
    return [this.height, this.width > TWO_LINES ? 50 : 84];
  }

  /** Pixels between the rails, if names of this length stand beside them. */
  #apart(names) {
    const [size, above] = this.#across;
    const aside = LARGEST + 16 + (this.standing ? 0.9 : 0.8) * names;
    return Math.max(40, Math.min(size - above - 2 * aside, APART));
  }

  /** The positions of the rails of columns and of rows, in pixels across the rails' direction. */
  get tracks() {
    const [size, above] = this.#across;
    const apart = this.#apart(this.#named);
    const middle = above + (size - above) / 2;
    return { columns: middle - apart / 2, rows: middle + apart / 2 };
  }

  /** The first and the last pixel of the rails now. */
  get ends() {
    const half = (this.length / 2) * this.zoom;
    const middle = this.centre - this.middle * half;
    return [middle - half, middle + half];
  }

  project(_x, _y, outX, outY) {
    const { place, rows, standing, tracks } = this;
    const [first, last] = this.ends;
    for (let v = 0; v < place.length; ++v) {
      const along = first + ((place[v] + 1) / 2) * (last - first);
      const across = v < rows ? tracks.rows : tracks.columns;
      outX[v] = standing ? across : along;
      outY[v] = standing ? along : across;
    }
  }

  pan(dx, dy) {
    const moved = (this.standing ? dy : dx) / ((this.length / 2) * this.zoom);
    this.#moveTo(this.middle - moved);
  }

  /** Zooms so that what lies under the pixel (px, py) stays there. */
  zoomAt(factor, px, py) {
    const offset = ((this.standing ? py : px) - this.centre) / (this.length / 2);
    const before = offset / this.zoom;
    this.zoom = Math.max(1, Math.min(this.mostZoom, this.zoom * factor));
    this.#moveTo(this.middle + before - offset / this.zoom);
  }

  #moveTo(middle) {
    const most = 1 - 1 / this.zoom;
    this.middle = Math.max(-most, Math.min(most, middle));
  }
}
