// The canvas of the axis of warps, with its ruler and the marks that follow the replay. The canvas is
// drawn when the view changes; while the replay plays, only the marks move.

import { Folds } from "./folds.js";
import { Raster } from "./raster.js";
import { element } from "../lib/dom.js";
import { grouped } from "../lib/words.js";

export const RULER = 18; // pixels of the ruler
const LEFT = 40; // pixels for the numbers of the warps
const ASIDE = 8; // pixels from those numbers to the lanes: the mark of the warp stands there
const ROW = 12; // pixels of a row, where there are few
const HIGHEST = 128;
const APART = 90; // pixels between two times of the ruler

export class AxisCanvas {
  /** `text(time)` is a time of the ruler. */
  constructor(rows, folds, axis, camera, text) {
    Object.assign(this, { folds, camera, text, chosen: -1 });
    this.raster = new Raster(rows, folds, axis.block);
    this.high = Math.min(HIGHEST, Math.max(2 * ROW, axis.warps * ROW));
    this.node = element("canvas", { "aria-hidden": "true" });
    this.cursor = element("i", { class: "wx-cursor", "aria-hidden": "true" });
    this.mark = element("i", { class: "wx-mark", "aria-hidden": "true" });
    this.layers = [this.node, this.cursor, this.mark];
    this.width = 0;
  }

  setTheme(theme) {
    this.theme = theme;
    const mixed = (colour, part) => pixelOf(colour, theme.ground, part);
    this.colours = {
      work: mixed(theme.accent, 1),
      event: mixed(theme.text, 0.85),
      atomic: mixed(theme.tried, 1),
      wait: mixed(theme.undone, 0.85),
      between: mixed(theme.accent, 0.45),
      untimed: mixed(theme.soft, 0.8),
      idle: mixed(theme.line, 1),
      ground: mixed(theme.ground, 1),
    };
    this.draw();
  }

  /** `ratio`: pixels of the screen for one of the page; `scale`: how much larger all is drawn. */
  resize(width, ratio, scale) {
    Object.assign(this, { ratio: ratio * scale, scale, width: Math.max(0, width - LEFT * scale) });
    const high = (this.high + RULER) * scale;
    this.node.width = Math.round(width * ratio);
    this.node.height = Math.round(high * ratio);
    this.node.style.height = `${high}px`;
    this.draw();
  }

  draw() {
    if (!this.width || !this.theme) return;
    const context = this.node.getContext("2d");
    const left = Math.round(LEFT * this.ratio);
    const [wide, high] = [this.node.width - left, Math.round(this.high * this.ratio)];
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.node.width, this.node.height);
    if (wide < 1) return;
    if (this.image?.width !== wide || this.image?.height !== high) {
      this.image = context.createImageData(wide, high);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.raster.draw(this.pixels, wide, high, this.camera, this.colours);
    context.putImageData(this.image, left, 0);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.#ruler(context, wide / this.ratio, this.#breaks(context, wide / this.ratio));
    this.#warps(context, wide / this.ratio);
  }

  /** The ruler's times; `taken` are the parts of it that have a text already. */
  #ruler(context, wide, taken) {
    const { from, to } = this.camera;
    const step = niceStep(((to - from) * APART) / wide);
    let last = ""; // a time that reads like the one before it is not written
    context.fillStyle = this.theme.soft;
    for (const [begin, end] of this.folds.stretches(from, to)) {
      for (let time = Math.ceil(begin / step) * step; time <= end; time += step) {
        const x = LEFT + this.camera.partAt(this.folds.placeAt(time)) * wide;
        context.fillRect(x, this.high, 1, 5);
        const text = this.text(time);
        if (text !== last && this.#write(context, text, x + 4, LEFT + wide, taken)) last = text;
      }
    }
  }

  /** Writes on the ruler where there is room; returns whether there is. */
  #write(context, text, x, most, taken) {
    const end = x + context.measureText(text).width;
    if (end >= most || taken.some(([from, to]) => x < to + 4 && from < end + 4)) return false;
    taken.push([x, end]);
    context.fillText(text, x, this.high + RULER / 2 + 1);
    return true;
  }

  /** Folded gaps: the rows are interrupted, and the ruler says for how long. Returns where it does. */
  #breaks(context, wide) {
    context.font = `11px ${this.theme.font}`;
    context.textBaseline = "middle";
    const taken = [];
    for (const gap of this.folds.shown) {
      const [begin, end] = [gap.at, gap.at + gap.wide].map((place) => this.camera.partAt(place));
      if (end < 0 || begin > 1) continue;
      const [left, right] = [Math.max(0, begin), Math.min(1, end)].map((part) => LEFT + part * wide);
      context.fillStyle = this.theme.ground;
      context.fillRect(left, 0, right - left, this.high);
      context.strokeStyle = context.fillStyle = this.theme.soft;
      for (const side of [left, right]) zigzag(context, side, this.high);
      const text = Folds.label(gap, this.text);
      this.#write(context, text, (left + right - context.measureText(text).width) / 2, LEFT + wide, taken);
    }
    return taken;
  }

  /** The numbers of the first and the last warp, and a frame around the chosen one. */
  #warps(context, wide) {
    const { first, last } = this.camera;
    context.textAlign = "right";
    context.fillText(grouped(first), LEFT - ASIDE, 7);
    if (last - first > 1) context.fillText(grouped(last - 1), LEFT - ASIDE, this.high - 6);
    context.textAlign = "left";
    if (this.chosen < first || this.chosen >= last) return;
    const { top, high } = this.#row(this.chosen);
    context.strokeStyle = this.theme.text;
    context.lineWidth = 1;
    context.strokeRect(LEFT - 0.5, top - 0.5, wide + 1, high + 1);
  }

  /** Where the row of a warp is. */
  #row(warp) {
    const { first, last } = this.camera;
    const fold = this.raster.fold(this.camera);
    const count = Math.ceil((last - first) / fold);
    const high = this.high / count;
    return { top: Math.floor((warp - first) / fold) * high, high };
  }

  /** The marks of the replay: a line at its place, and a sign beside the warp that acted. */
  moveCursor(place, warp) {
    if (!this.width) return;
    const part = this.camera.partAt(place);
    const { first, last } = this.camera;
    this.cursor.style.visibility = part >= 0 && part <= 1 ? "visible" : "hidden";
    this.cursor.style.transform = `translateX(${LEFT * this.scale + part * this.width}px)`;
    this.mark.style.visibility = warp >= first && warp < last ? "visible" : "hidden";
    const { top, high } = this.#row(Math.max(first, warp));
    this.mark.style.transform = `translate(${(LEFT - 5) * this.scale}px, ${(top + high / 2) * this.scale}px)`;
  }

  /** The time and the warps at a pointer; whether it is on the ruler. */
  place({ clientX, clientY }) {
    const box = this.node.getBoundingClientRect();
    const x = (clientX - box.left) / this.scale - LEFT;
    const y = (clientY - box.top) / this.scale;
    const part = Math.max(0, Math.min(1, (x * this.scale) / this.width));
    const { first, last } = this.camera;
    const fold = this.raster.fold(this.camera);
    const count = Math.ceil((last - first) / fold);
    const row = Math.max(0, Math.min(count - 1, Math.floor((y * count) / this.high)));
    const from = first + row * fold;
    return { part, time: this.folds.timeAt(this.camera.timeAt(part)), ruler: y > this.high, warps: [from, Math.min(last, from + fold)] };
  }
}

/** The edge of a folded gap. */
function zigzag(context, x, high) {
  context.lineWidth = 1;
  context.beginPath();
  for (let [y, side] = [0, 1]; y <= high; y += 4, side = -side) context.lineTo(x + side, y);
  context.stroke();
}

/** 1, 2 or 5 times a power of ten that is not less than a number. */
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least) ?? 10 * power;
}

/** A pixel of a colour over another one, as a number in memory. */
function pixelOf(colour, ground, part) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  for (const [fill, alpha] of [[ground, 1], [colour, part]]) {
    context.globalAlpha = alpha;
    context.fillStyle = fill;
    context.fillRect(0, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}
