// A spy plot: the matrix itself.  Matched entries and those of the search are highlighted; strips at
// the left and above show the state of the rows and columns.

import { pixelOf } from "warplens/cellview.js";
import { SEQUENCE } from "warplens/theme.js";
import { Blocks } from "./spyblocks.js";
import { MatrixCamera } from "warplens/matrixcamera.js";
import { Dots } from "./spydots.js";
import { GAP, STRIP, drawStrips } from "./spystrips.js";
import { grouped } from "warplens/words.js";

const MOST_DOTS = 30000; // more entries are counted in blocks

export class SpyView {
  static TITLE = "Matrix";

  constructor(host, meta, arrays, styles) {
    this.styles = styles;
    this.rows = meta.rows;
    this.columns = meta.n - meta.rows;
    const rows = arrays["edges/u"];
    this.entries = { rows, columns: arrays["edges/v"].map((v) => v - meta.rows) };
    this.selected = -1;
    this.chain = [];
    this.zooms = true;
    this.camera = new MatrixCamera(this.rows, this.columns);
    this.canvas = document.createElement("canvas");
    this.canvas.className = "wp-layer";
    this.canvas.setAttribute("aria-hidden", "true");
    host.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.dotted = rows.length <= MOST_DOTS;
    const signs = this.dotted ? "an entry is a dot, a matched one a square" : "stronger where there are more entries";
    this.note = `${grouped(this.rows)} × ${grouped(this.columns)} matrix: ${signs}.`;
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.camera.resize(width, height);
    this.refresh();
  }

  setTheme(theme) {
    this.theme = theme;
    this.paints = this.styles.map(({ look, colour }) => {
      return { colour: look === "plain" ? theme.line : theme[colour], matched: look === "full" };
    });
    this.refresh();
  }

  /** Redraws what does not move. */
  refresh() {
    if (!this.theme || !this.ratio) return;
    this.camera.refresh();
    const { theme, entries } = this;
    this.sight = this.camera.sight;
    const tints = SEQUENCE.map((_, i) => theme[`sequence-${i}`]);
    this.plot = this.dotted
      ? new Dots(this.sight, entries, theme, this.ratio, this.canvas)
      : new Blocks(this.sight, entries, theme, [theme.done, ...tints].map(pixelOf));
  }

  draw(marks, effects) {
    if (!this.plot) return;
    const { context, canvas, ratio, theme } = this;
    const { box } = this.sight;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.plot.paint(context, (light) => this.#eachLit(marks, light));
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
    drawStrips(context, this.sight, this, marks.classes, this.paints);
    this.#drawHalos(marks.differing ?? []);
    this.#drawSelection();
    this.#drawChain();
    for (const { effect, progress, alpha } of effects) this.#drawEffect(effect, progress, alpha);
    context.globalAlpha = 1;
    this.#drawTitles();
  }

  /** Calls `light(row, column, tint, matched)` for entries of the search's trees, then for pairs. */
  #eachLit({ arrows, links, tints }, light) {
    const { rows } = this;
    for (let i = 0; i < arrows.length; i += 2) light(arrows[i + 1], arrows[i] - rows, tints[arrows[i + 1]], false);
    for (let i = 0; i < links.length; i += 2) light(links[i], links[i + 1] - rows, tints[links[i]], true);
  }

  /** The entry between two vertices, in pixels; whichever of them is the row. */
  #between(one, other) {
    return this.sight.at(Math.min(one, other), Math.max(one, other) - this.rows);
  }

  /** Where a vertex's strip is; null if it is out of sight. */
  #beside(vertex) {
    const { box } = this.sight;
    if (vertex < this.rows) {
      const { y } = this.sight.at(vertex, 0);
      return this.sight.hasY(y) ? { x: box.left - GAP - STRIP, y, across: true } : null;
    }
    const { x } = this.sight.at(0, vertex - this.rows);
    return this.sight.hasX(x) ? { x, y: box.top - GAP - STRIP, across: false } : null;
  }

  #drawSelection() {
    const at = this.selected < 0 ? null : this.#beside(this.selected);
    if (!at) return;
    const { context, theme } = this;
    const { box } = this.sight;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(at.x, at.y);
    if (at.across) context.lineTo(box.left + box.width, at.y);
    else context.lineTo(at.x, box.top + box.height);
    context.stroke();
  }

  /** Beside the strips, where the run beside this one is in another state. */
  #drawHalos(differing) {
    const { context, theme } = this;
    context.fillStyle = theme.accent;
    for (const vertex of differing) {
      const at = this.#beside(vertex);
      if (at) context.fillRect(at.x - (at.across ? 5 : 1.5), at.y - (at.across ? 1.5 : 5), 3, 3);
    }
  }

  /** A path in the matrix is a staircase: along a column to an entry, along its row to the next. */
  #drawChain() {
    const { context, theme, chain } = this;
    if (!chain.length) return;
    context.strokeStyle = theme.accent;
    context.globalAlpha = 0.55;
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    context.beginPath();
    const corners = chain.flatMap(({ from, to, lost }) => (lost >= 0 ? [[from, to], [to, lost]] : [[from, to]]));
    corners.forEach(([one, other], i) => {
      const { x, y } = this.#between(one, other);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.stroke();
    context.globalAlpha = 1;
  }

  /** A ring that closes in on an entry; broken where a pair breaks or a walk is stopped. */
  #drawEffect({ type, from, to, colour, begin, end }, progress, alpha) {
    if (from === undefined || progress < begin) return;
    const { context, theme, sight } = this;
    const { x, y } = this.#between(from, to);
    if (!sight.hasX(x) || !sight.hasY(y)) return;
    const part = Math.min(1, (progress - begin) / (end - begin));
    const near = Math.max(5, Math.min(16, 0.62 * sight.least));
    context.globalAlpha = alpha;
    context.strokeStyle = theme[colour];
    context.lineWidth = 2.2;
    context.setLineDash(type === "break" || type === "bounce" ? [3, 3] : []);
    context.beginPath();
    context.arc(x, y, near + 10 * (1 - part), 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  #drawTitles() {
    const { context, theme, ratio } = this;
    const { box } = this.sight;
    const away = STRIP + GAP + 10;
    context.font = `600 12px ${theme.font}`;
    context.fillStyle = theme.soft;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText("columns", box.left, box.top - away);
    context.textAlign = "right";
    context.setTransform(0, -ratio, ratio, 0, (box.left - away) * ratio, box.top * ratio);
    context.fillText("rows", 0, 0);
  }

  /** The row of an entry at a pixel, or the row or column of a strip; -1 where there is nothing. */
  pick(x, y) {
    if (!this.sight) return -1;
    const { sight, rows, columns } = this;
    const { row, column } = sight.under(x, y);
    const inRows = sight.hasY(y) && row >= 0 && row < rows;
    const inColumns = sight.hasX(x) && column >= 0 && column < columns;
    const near = (distance) => distance < 0 && distance > -(STRIP + GAP + 8);
    if (inRows && near(x - sight.box.left)) return row;
    if (inColumns && near(y - sight.box.top)) return rows + column;
    return inRows && inColumns && this.plot.has(row, column) ? row : -1;
  }

  select(vertex) {
    this.selected = vertex;
  }

  remove() {
    this.canvas.remove();
  }
}
