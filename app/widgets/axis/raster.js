// The pixels of the axis of warps. One row a warp; above ROWS warps a row has several, and the height
// of a bar says how many of them do a thing. What is done differs in form too, not in colour alone:
// full, striped, dotted, thin.

import { DOING } from "./rows.js";

/** The most rows; with more warps, rows have several. */
export const ROWS = 64;
const KINDS = 6;
const STACK = [DOING.WORK, DOING.WAIT, DOING.UNTIMED, DOING.BETWEEN];

export class Raster {
  constructor(rows, folds, block) {
    Object.assign(this, { rows, folds, block });
  }

  /** How many warps share a row: whole blocks, if their size is known. */
  fold({ first, last }) {
    const least = Math.ceil((last - first) / ROWS);
    return least > 1 && this.block > 1 ? Math.ceil(least / this.block) * this.block : least;
  }

  /** Draws into `pixels` (a Uint32Array of width × height) with `colours` (numbers of pixels). */
  draw(pixels, width, height, camera, colours) {
    const fold = this.fold(camera);
    const count = Math.ceil((camera.last - camera.first) / fold);
    const high = Math.max(1, Math.floor(height / count));
    // Of each kind and column: the part of it that is covered, and by how much more the next is.
    const cover = new Float32Array(KINDS * (width + 1));
    const more = new Float32Array(KINDS * (width + 1));
    const ticks = new Uint8Array(width);
    pixels.fill(0);
    for (let row = 0; row < count; ++row) {
      const from = camera.first + row * fold;
      const to = Math.min(camera.last, from + fold);
      cover.fill(0);
      more.fill(0);
      ticks.fill(0);
      for (let warp = from; warp < to; ++warp) this.#cover(warp, camera, { cover, more, ticks }, width);
      for (const kind of STACK) sumUp(cover, more, kind * (width + 1), width);
      const place = { pixels, width, top: Math.floor((row * height) / count), high };
      if (fold === 1) single(place, cover, ticks, colours);
      else stacked(place, cover, ticks, to - from, colours);
    }
  }

  /** Adds what a warp does to the columns of its row: parts of a column that are covered. */
  #cover(warp, { from, to }, { cover, more, ticks }, width) {
    const { rows } = this;
    const { places } = this.folds;
    const scale = width / (to - from);
    for (let i = rows.first[warp]; i < rows.first[warp + 1]; ++i) {
      const doing = rows.doing[i];
      const end = places[rows.end[i]];
      if (doing === DOING.IDLE || end < from) continue;
      const begin = places[rows.begin[i]];
      if (begin > to) break;
      const [x0, x1] = [Math.max(0, (begin - from) * scale), Math.min(width, (end - from) * scale)];
      addPart(cover, more, doing * (width + 1), x0, x1);
    }
    const own = rows.eventsOf(warp);
    for (let i = 0; i < own.length; ++i) {
      const x = Math.floor((places[own[i]] - from) * scale);
      if (x < 0 || x > width) continue;
      const column = Math.min(x, width - 1);
      ticks[column] = Math.max(ticks[column], 1 + rows.atomic[own[i]]);
    }
  }
}

/** Adds an interval of columns; its ends cover a part of theirs. */
function addPart(cover, more, offset, x0, x1) {
  const [first, last] = [Math.floor(x0), Math.floor(x1)];
  if (first === last) {
    cover[offset + first] += x1 - x0;
    return;
  }
  cover[offset + first] += first + 1 - x0;
  more[offset + first + 1] += 1;
  more[offset + last] -= 1;
  cover[offset + last] += x1 - last;
}

/** Adds to the columns of a kind the intervals that cover them all. */
function sumUp(cover, more, offset, width) {
  let whole = 0;
  for (let x = 0; x < width; ++x) {
    whole += more[offset + x];
    cover[offset + x] += whole;
  }
}

/** A row of one warp: in each column what it did for most of it, and its events as ticks. */
function single({ pixels, width, top, high }, cover, ticks, colours) {
  const tall = high > 3 ? high - 1 : high;
  const middle = top + (tall >> 1);
  for (let x = 0; x < width; ++x) {
    let [doing, most] = [DOING.IDLE, 0.02];
    for (const kind of STACK) {
      const part = cover[kind * (width + 1) + x];
      if (part > most) [doing, most] = [kind, part];
    }
    if (ticks[x]) {
      const colour = ticks[x] > 1 ? colours.atomic : colours.event;
      for (let y = top; y < top + tall; ++y) pixels[y * width + x] = colour;
    } else if (doing === DOING.IDLE) {
      pixels[middle * width + x] = colours.idle;
    } else if (doing === DOING.BETWEEN) {
      const half = Math.max(0, Math.round(tall / 6));
      for (let y = middle - half; y <= middle + half; ++y) pixels[y * width + x] = colours.between;
    } else {
      for (let y = top; y < top + tall; ++y) pixels[y * width + x] = patterned(doing, x, y, colours);
    }
  }
}

/** A row of several warps: bars on each other, as high as the part of them that does a thing. */
function stacked({ pixels, width, top, high }, cover, ticks, warps, colours) {
  const tall = high > 3 ? high - 1 : high;
  for (let x = 0; x < width; ++x) {
    let bottom = top + tall - 1;
    pixels[bottom * width + x] = colours.idle;
    for (const kind of STACK) {
      const part = cover[kind * (width + 1) + x] / warps;
      const seen = kind === DOING.WORK && ticks[x] ? 1 : 0; // an event is work, however short
      let rows = Math.max(seen, Math.round(part * tall));
      for (; rows > 0 && bottom >= top; --rows, --bottom) {
        pixels[bottom * width + x] = kind === DOING.WORK && seen && ticks[x] > 1 && rows === 1 && part * tall < 1
          ? colours.atomic
          : patterned(kind, x, bottom, colours);
      }
    }
  }
}

function patterned(doing, x, y, colours) {
  if (doing === DOING.WAIT) return (x + y) % 6 < 3 ? colours.wait : colours.ground;
  if (doing === DOING.UNTIMED) return x % 4 < 2 && y % 4 < 2 ? colours.untimed : colours.ground;
  return doing === DOING.BETWEEN ? colours.between : colours.work;
}
