// A context of a canvas that writes SVG: what draws a picture on the screen draws it for a paper, too.
// It has the part of CanvasRenderingContext2D that the pictures use.

import { rectsOf } from "./rects.js";

const STATE = ["matrix", "clipped", "fillStyle", "strokeStyle", "lineWidth", "lineCap", "lineJoin", "globalAlpha",
  "globalCompositeOperation", "font", "textAlign", "textBaseline", "dash", "imageSmoothingEnabled"];
const ANCHOR = { center: "middle", right: "end", end: "end" };
const SHIFT = { middle: 0.35, top: 0.8, bottom: -0.2 }; // of the letters' height, from the baseline
const short = (number) => String(Math.round(number * 100) / 100);
export const safe = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
let clips = 0;

/** Calls `draw()`; every canvas that it makes has a context that writes SVG. */
export function withVectors(draw) {
  const make = Document.prototype.createElement;
  document.createElement = function createElement(name, ...more) {
    const node = make.call(document, name, ...more);
    if (String(name).toLowerCase() !== "canvas") return node;
    node.vector = new Vector(node, node.getContext("2d"));
    node.getContext = () => node.vector;
    return node;
  };
  try {
    return draw();
  } finally {
    delete document.createElement; // that of the prototype is visible again
  }
}

export class Vector {
  /** `real`: the canvas's own context, which measures texts and holds pixels. */
  constructor(canvas, real) {
    Object.assign(this, { canvas, real, parts: [], kept: [], path: "", pixels: false });
    Object.assign(this, { matrix: [1, 0, 0, 1, 0, 0], clipped: "", fillStyle: "#000", strokeStyle: "#000" });
    Object.assign(this, { lineWidth: 1, lineCap: "butt", lineJoin: "miter", globalAlpha: 1, dash: [] });
    Object.assign(this, { font: "10px sans-serif", textAlign: "left", textBaseline: "alphabetic" });
    this.globalCompositeOperation = "source-over";
  }

  /** What was drawn, as elements. */
  get content() {
    return this.parts.join("\n");
  }

  save() {
    this.kept.push(Object.fromEntries(STATE.map((name) => [name, this[name]])));
  }

  restore() {
    Object.assign(this, this.kept.pop());
  }

  // Places

  setTransform(a = 1, b = 0, c = 0, d = 1, e = 0, f = 0) {
    this.matrix = [a, b, c, d, e, f];
  }

  #apply(a, b, c, d, e, f) {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }

  translate(x, y) {
    this.#apply(1, 0, 0, 1, x, y);
  }

  scale(x, y) {
    this.#apply(x, 0, 0, y, 0, 0);
  }

  rotate(angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#apply(cos, sin, -sin, cos, 0, 0);
  }

  /** Pixels of the picture for one of the drawing. */
  get #size() {
    const [a, b, c, d] = this.matrix;
    return Math.sqrt(Math.abs(a * d - b * c));
  }

  #at(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }

  // Paths

  beginPath() {
    this.path = "";
  }

  closePath() {
    this.path += "Z";
  }

  moveTo(x, y) {
    this.path += `M${this.#at(x, y)}`;
  }

  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${this.#at(x, y)}`;
  }

  bezierCurveTo(...places) {
    const points = [0, 2, 4].map((i) => this.#at(places[i], places[i + 1]));
    this.path += `C${points.join(" ")}`;
  }

  /** An arc in two halves: SVG has no whole circle in a path. */
  arc(x, y, radius, from, to, back = false) {
    const turn = 2 * Math.PI;
    const wide = back ? -Math.min(turn, from - to) : Math.min(turn, to - from);
    const at = (angle) => this.#at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    const r = short(radius * this.#size);
    this.path += `${this.path ? "L" : "M"}${at(from)}`;
    for (const part of [0.5, 1]) this.path += `A${r} ${r} 0 0 ${wide < 0 ? 0 : 1} ${at(from + part * wide)}`;
  }

  rect(x, y, wide, high) {
    this.path += `M${this.#at(x, y)}L${this.#at(x + wide, y)}L${this.#at(x + wide, y + high)}L${this.#at(x, y + high)}Z`;
  }

  roundRect(x, y, wide, high, radii = 0) {
    const given = Array.isArray(radii) ? radii : [radii];
    const most = Math.min(Math.abs(wide), Math.abs(high)) / 2;
    const [a, b = a, c = a, d = b] = given.map((radius) => Math.min(radius, most));
    const arc = (radius, ...end) => {
      const r = short(radius * this.#size);
      return radius > 0 ? `A${r} ${r} 0 0 1 ${this.#at(...end)}` : "";
    };
    this.path += `M${this.#at(x + a, y)}L${this.#at(x + wide - b, y)}${arc(b, x + wide, y + b)}`;
    this.path += `L${this.#at(x + wide, y + high - c)}${arc(c, x + wide - c, y + high)}`;
    this.path += `L${this.#at(x + d, y + high)}${arc(d, x, y + high - d)}L${this.#at(x, y + a)}${arc(a, x + a, y)}Z`;
  }

  // What is seen

  #put(part) {
    const seen = this.clipped ? `<g clip-path="url(#${this.clipped})">${part}</g>` : part;
    if (this.globalCompositeOperation === "copy") this.parts = [];
    if (this.globalCompositeOperation === "destination-over") this.parts.unshift(seen);
    else this.parts.push(seen);
  }

  get #alpha() {
    return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : "";
  }

  get #line() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map((part) => short(part * this.#size)).join(" ")}"` : "";
    const shape = ` stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dash}`;
    return `stroke="${safe(this.strokeStyle)}" stroke-width="${short(this.lineWidth * this.#size)}"${shape}`;
  }

  fill() {
    if (this.path) this.#put(`<path d="${this.path}" fill="${safe(this.fillStyle)}"${this.#alpha}/>`);
  }

  stroke() {
    if (this.path) this.#put(`<path d="${this.path}" fill="none" ${this.#line}${this.#alpha}/>`);
  }

  clip() {
    const name = `clip-${++clips}`;
    this.parts.push(`<clipPath id="${name}"><path d="${this.path}"/></clipPath>`);
    this.clipped = name;
  }

  #alone(box, draw) {
    const { path } = this;
    this.path = "";
    this.rect(...box);
    draw();
    this.path = path;
  }

  fillRect(...box) {
    this.#alone(box, () => this.fill());
  }

  strokeRect(...box) {
    this.#alone(box, () => this.stroke());
  }

  /** Pictures clear all of a canvas before they draw it again; parts of it stay as they are. */
  clearRect(x, y, wide, high) {
    const { width, height } = this.canvas;
    const size = this.#size;
    if (x <= 0 && y <= 0 && wide * size >= width - 1 && high * size >= height - 1) this.parts = [];
  }

  #text(text, x, y, most, look) {
    const place = `text-anchor="${ANCHOR[this.textAlign] ?? "start"}" transform="matrix(${this.matrix.map(short).join(" ")})"`;
    const high = parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? 10);
    const below = y + (SHIFT[this.textBaseline] ?? 0) * high;
    const narrow = most && this.measureText(text).width > most ? ` textLength="${short(most)}" lengthAdjust="spacingAndGlyphs"` : "";
    const more = `style="font: ${safe(this.font)}" ${look}${this.#alpha}`;
    this.#put(`<text x="${short(x)}" y="${short(below)}" ${place}${narrow} ${more}>${safe(text)}</text>`);
  }

  fillText(text, x, y, most = 0) {
    this.#text(text, x, y, most, `fill="${safe(this.fillStyle)}"`);
  }

  strokeText(text, x, y) {
    const line = `stroke="${safe(this.strokeStyle)}" stroke-width="${short(this.lineWidth)}"`;
    this.#text(text, x, y, 0, `fill="none" ${line} stroke-linejoin="${this.lineJoin}"`);
  }

  /** Another canvas: its drawing, or its pixels where it has some. */
  drawImage(image, ...box) {
    const { width, height } = image;
    const [x, y, wide = width, high = height] = box.length > 4 ? box.slice(4) : box;
    const [left, top, over, down] = box.length > 4 ? box : [0, 0, width, height];
    this.save();
    this.translate(x, y);
    this.scale(wide / over, high / down);
    this.translate(-left, -top);
    const place = `transform="matrix(${this.matrix.map((part) => Math.round(part * 1e4) / 1e4).join(" ")})"${this.#alpha}`;
    this.restore();
    const drawn = image.vector?.content ?? "";
    const pixels = !image.vector || image.vector.pixels;
    const raster = pixels ? `<image href="${image.toDataURL()}" width="${width}" height="${height}" style="image-rendering: pixelated"/>` : "";
    this.#put(`<g ${place}>${raster}${drawn}</g>`);
  }

  // What only a real context can do

  setLineDash(dash) {
    this.dash = dash;
  }

  measureText(text) {
    this.real.font = this.font;
    return this.real.measureText(text);
  }

  createImageData(...size) {
    return this.real.createImageData(...size);
  }

  /** For the colour of a pixel that was just filled. */
  getImageData(...box) {
    this.real.fillStyle = this.fillStyle;
    this.real.fillRect(...box);
    return this.real.getImageData(...box);
  }

  /** Pictures give a canvas all of its pixels at once. */
  putImageData(image, x, y) {
    const rects = rectsOf(image, x, y);
    this.parts = rects ?? [];
    this.pixels = !rects;
    this.real.putImageData(image, x, y);
  }
}
