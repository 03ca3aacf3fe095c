// The adjacency matrix with its edges counted in square blocks: a large graph as a whole.  Stronger
// blocks hold more edges; their colour says how many of them are links (for example matched).

import { pixelOf } from "./cellview.js";

const BLOCKS = 160; // a side
const MARGIN = 44; // pixels that measures and legend need above and below

export class MatrixView {
  static TITLE = "Adjacency matrix";

  constructor(host, meta, arrays) {
    this.n = meta.n;
    this.blocks = Math.max(1, Math.min(BLOCKS, meta.n));
    this.selected = -1;
    this.camera = { reset() {}, pan() {}, zoomAt() {} };
    this.counts = new Uint32Array(this.blocks ** 2);
    const { "edges/u": u, "edges/v": v } = arrays;
    for (let e = 0; e < u.length; ++e) this.#add(this.counts, u[e], v[e]);
    this.most = this.counts.reduce((most, count) => Math.max(most, count), 1);
    this.linked = new Uint32Array(this.blocks ** 2);
    this.canvas = document.createElement("canvas");
    this.canvas.className = "wp-layer";
    this.canvas.setAttribute("aria-hidden", "true");
    host.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.small = document.createElement("canvas");
    this.small.width = this.small.height = this.blocks;
    this.image = this.small.getContext("2d").createImageData(this.blocks, this.blocks);
    const each = Math.ceil(meta.n / this.blocks);
    const size = each > 1 ? `${each} by ${each} vertices a square, stronger with more edges` : "a square an edge";
    this.note = `Adjacency matrix, ${size}.`;
  }

  /** Counts the edge between two vertices on both sides of the diagonal. */
  #add(counts, one, other) {
    const { n, blocks } = this;
    const i = Math.floor((one * blocks) / n);
    const j = Math.floor((other * blocks) / n);
    counts[i * blocks + j] += 1;
    counts[j * blocks + i] += 1;
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.side = Math.max(40, Math.min(width - 24, height - 2 * MARGIN)) * ratio;
    this.left = (this.canvas.width - this.side) / 2;
    this.top = (this.canvas.height - this.side) / 2;
  }

  setTheme(theme) {
    this.theme = theme;
    const bytes = (colour) => new Uint8Array(Uint32Array.of(pixelOf(colour)).buffer);
    [this.plain, this.link] = [bytes(theme.text), bytes(theme.done)];
  }

  draw(marks, effects) {
    if (!this.theme || !this.side) return;
    this.linked.fill(0);
    const { links } = marks;
    for (let i = 0; i < links.length; i += 2) this.#add(this.linked, links[i], links[i + 1]);
    this.#paint();
    const { context, canvas, left, top, side } = this;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.small, left, top, side, side);
    context.strokeStyle = this.theme.line;
    context.lineWidth = this.ratio;
    context.strokeRect(left, top, side, side);
    this.#drawSelection();
    for (const { effect, alpha } of effects) this.#drawEffect(effect, alpha);
    context.globalAlpha = 1;
  }

  /** Opacity by the logarithm of the number of edges, colour by the share of links. */
  #paint() {
    const { counts, linked, plain, link } = this;
    const { data } = this.image;
    const full = Math.log1p(this.most);
    for (let k = 0; k < counts.length; ++k) {
      const at = 4 * k;
      const part = linked[k] ? 0.35 + (0.65 * linked[k]) / counts[k] : 0;
      for (let c = 0; c < 3; ++c) data[at + c] = plain[c] + (link[c] - plain[c]) * part;
      const strength = counts[k] ? 0.18 + (0.62 * Math.log1p(counts[k])) / full : 0;
      data[at + 3] = 255 * Math.max(strength, part);
    }
    this.small.getContext("2d").putImageData(this.image, 0, 0);
  }

  /** A vertex is a row and a column. */
  #drawSelection() {
    if (this.selected < 0) return;
    const { context, left, top, side } = this;
    const at = ((this.selected + 0.5) / this.n) * side;
    context.strokeStyle = this.theme.accent;
    context.lineWidth = 1.5 * this.ratio;
    context.beginPath();
    context.moveTo(left, top + at);
    context.lineTo(left + side, top + at);
    context.moveTo(left + at, top);
    context.lineTo(left + at, top + side);
    context.stroke();
  }

  #drawEffect({ from, to, colour }, alpha) {
    if (from === undefined) return;
    const { context, left, top, side, n } = this;
    context.globalAlpha = alpha;
    context.strokeStyle = this.theme[colour];
    context.lineWidth = 2 * this.ratio;
    for (const [row, column] of [[from, to], [to, from]]) {
      const x = left + ((column + 0.5) / n) * side;
      const y = top + ((row + 0.5) / n) * side;
      context.beginPath();
      context.arc(x, y, 5 * this.ratio, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** The vertex whose row is at a pixel, if rows are no blocks; -1 for none. */
  pick(x, y) {
    const row = Math.floor(((y * this.ratio - this.top) / this.side) * this.n);
    const column = (x * this.ratio - this.left) / this.side;
    const inside = row >= 0 && row < this.n && column >= 0 && column < 1;
    return inside && this.blocks === this.n ? row : -1;
  }

  select(vertex) {
    this.selected = vertex;
  }

  refresh() {}

  remove() {
    this.canvas.remove();
  }
}
