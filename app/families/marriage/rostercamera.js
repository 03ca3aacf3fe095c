// Where two rails of people are: men above, women below, each with the room that a list takes.
// Zoom and pan go along the rails; the nearer one looks, the more of each list can be read.

import { TWO_LINES } from "warplens/camera.js";
import { RailCamera } from "warplens/railcamera.js";

const WIDEST = 156; // pixels from one card to the next
const ASIDE = 14; // pixels free at both ends
const READABLE = 46; // pixels between neighbours that a card needs
const ROW = { least: 12.5, most: 18 }; // height of a line of a list
const HEAD = 23; // height of a card's head
const CELL = 13; // highest cell of a strip

export class RosterCamera extends RailCamera {
  /** `longest`: places in the longest list. */
  constructor(place, men, longest) {
    super(place, men, 0);
    this.longest = Math.max(1, longest);
  }

  get standing() {
    return false;
  }

  get mostZoom() {
    return Math.max(super.mostZoom, 96 / this.#pitch);
  }

  get #pitch() {
    return Math.min((this.width - 2 * ASIDE) / this.most, WIDEST);
  }

  get length() {
    return this.#pitch * (this.most - 1);
  }

  get centre() {
    return this.width / 2;
  }

  /** Whether there is room for names. */
  get cards() {
    return this.spacing >= READABLE && this.#room >= HEAD + 3 * ROW.least;
  }

  get radius() {
    return this.cards ? 4.5 : Math.max(1.4, Math.min(10, 0.4 * this.spacing));
  }

  get #above() {
    return this.width > TWO_LINES ? 72 : 100;
  }

  /** Pixels that are left for the picture, less a line for the title below. */
  get #height() {
    return Math.max(60, this.height - this.#above - 28);
  }

  /** Pixels for one rail's lists. */
  get #room() {
    const between = Math.max(64, Math.min(0.27 * this.#height, 130));
    return (this.#height - between) / 2;
  }

  /** Height of a line of a card, or of a cell of a strip. */
  get row() {
    const room = this.#room - (this.cards ? HEAD + 5 : 2 * this.radius + 4);
    if (!this.cards) return Math.min(CELL, room / this.longest);
    return Math.max(ROW.least, Math.min(ROW.most, room / this.longest));
  }

  /** Lines of a card that have room. */
  get lines() {
    return Math.max(3, Math.floor((this.#room - HEAD - 5) / this.row));
  }

  get head() {
    return HEAD;
  }

  /** Height of a card, or of a strip with its head. */
  get depth() {
    if (!this.cards) return this.row * this.longest + 2 * this.radius + 4;
    return HEAD + 5 + this.row * Math.min(this.lines, this.longest);
  }

  /** The inner edges of the rails, which lines go between. */
  get tracks() {
    const middle = this.#above + this.#height / 2;
    const apart = Math.min(this.#height - 2 * this.depth, 220);
    return { men: middle - apart / 2, women: middle + apart / 2 };
  }

  project(_x, _y, outX, outY) {
    const { place, rows, tracks } = this;
    const [first, last] = this.ends;
    for (let v = 0; v < place.length; ++v) {
      outX[v] = first + ((place[v] + 1) / 2) * (last - first);
      outY[v] = v < rows ? tracks.men : tracks.women;
    }
  }
}
