// Very many entries of a matrix, counted in blocks of about a pixel: stronger blocks hold more.

import { pixelOf } from "warplens/cellview.js";

const BLOCK = 1.5; // pixels
const EMPTY = 0; // a clear pixel

export class Blocks {
  /** `entries`: {rows, columns}; `pixels`: the colour of a matched entry, and one for each tint. */
  constructor(sight, entries, theme, pixels) {
    this.sight = sight;
    this.lights = pixels;
    const { box, down, across } = sight;
    this.wide = Math.max(1, Math.min(Math.ceil(across), Math.round(box.width / BLOCK)));
    this.high = Math.max(1, Math.min(Math.ceil(down), Math.round(box.height / BLOCK)));
    const counts = new Uint32Array(this.wide * this.high);
    for (let e = 0; e < entries.rows.length; ++e) {
      const block = this.#blockOf(entries.rows[e], entries.columns[e]);
      if (block >= 0) counts[block] += 1;
    }
    const most = Math.log1p(counts.reduce((high, count) => Math.max(high, count), 1));
    const plain = pixelOf(theme.text) & 0xffffff;
    const strength = (count) => Math.round(255 * (0.2 + (0.4 * Math.log1p(count)) / most));
    this.ground = Uint32Array.from(counts, (count) => (count ? (plain | (strength(count) << 24)) >>> 0 : EMPTY));
    this.image = new ImageData(this.wide, this.high);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.small = document.createElement("canvas");
    [this.small.width, this.small.height] = [this.wide, this.high];
  }

  /** The block of an entry, or -1 if it is out of sight. */
  #blockOf(row, column) {
    const { wide, high, sight } = this;
    const i = Math.floor(((row - sight.first.row) * high) / sight.down);
    const j = Math.floor(((column - sight.first.column) * wide) / sight.across);
    return i >= 0 && i < high && j >= 0 && j < wide ? i * wide + j : -1;
  }

  paint(context, lit) {
    const { pixels, lights, small, image } = this;
    const { box } = this.sight;
    pixels.set(this.ground);
    lit((row, column, tint) => {
      const block = this.#blockOf(row, column);
      if (block >= 0) pixels[block] = lights[tint];
    });
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, box.left, box.top, box.width, box.height);
  }

  has(row, column) {
    const block = this.#blockOf(row, column);
    return block >= 0 && this.ground[block] !== EMPTY;
  }
}
