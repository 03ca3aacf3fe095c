// A matrix as two rails of vertices, columns and rows, with its entries as lines between them.

import { GraphView } from "./graphview.js";
import { RailCamera } from "./railcamera.js";
import { RailNames } from "./railnames.js";
import { LABEL_RADIUS } from "./shapes.js";

const SHORT = 3; // letters of a name that stands in a vertex
const BESIDE = 9; // pixels from a vertex to the edge of its rail

export class RailView extends GraphView {
  static TITLE = "Rails";
  static WEIGHTED = false; // lines cross between the rails
  static LOOSE = false;
  /** More vertices than this on one rail are dots too small to follow. */
  static READABLE = 120;

  constructor(host, meta, arrays, styles) {
    super(host, meta, arrays, styles);
    this.rows = meta.rows;
    this.titles = { rows: "rows", columns: "columns" };
    this.writing = new RailNames(meta, this);
    this.camera = new RailCamera(this.x, meta.rows, this.writing.length);
  }

  /** What stands in a vertex: its short name, or its number on its own rail. */
  numberOf(vertex) {
    return this.meta.names?.[vertex] ?? (vertex < this.rows ? vertex : vertex - this.rows);
  }

  refresh() {
    if (!this.writing) return; // not made yet
    // Numbers and short names stand in the vertices where there is room.
    this.short ??= (this.meta.names ?? []).every((name) => name.length <= SHORT);
    const roomy = this.short && this.camera.radius >= LABEL_RADIUS;
    this.names = roomy ? undefined : this.writing;
    super.refresh();
    if (this.theme && this.ratio) this.#drawRails();
  }

  /** Under the entries. */
  #drawRails() {
    const { context } = this.below;
    const { camera, theme, radius } = this;
    const half = radius + BESIDE;
    const [first, last] = camera.ends;
    context.save();
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = theme.raised;
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    for (const across of Object.values(camera.tracks)) {
      const [long, thick] = [last - first + 2 * half, 2 * half];
      context.beginPath();
      if (camera.standing) context.roundRect(across - half, first - half, thick, long, half);
      else context.roundRect(first - half, across - half, long, thick, half);
      context.stroke();
      context.fill();
    }
    context.restore();
    this.#drawTitles(context, half);
  }

  /** Before the beginning of each rail, or at the edge where that is out of sight. */
  #drawTitles(context, half) {
    const { camera, theme } = this;
    const [first] = camera.ends;
    context.fillStyle = theme.soft;
    context.strokeStyle = theme.ground;
    context.lineWidth = 5;
    context.font = `600 12px ${theme.font}`;
    context.textBaseline = "middle";
    context.textAlign = camera.standing ? "center" : "left";
    for (const [side, across] of Object.entries(camera.tracks)) {
      const name = this.titles[side];
      const wide = context.measureText(name).width;
      const place = camera.standing
        ? [across, Math.max(93, first - half - 11)]
        : [Math.max(12, first - half - 10 - wide), across];
      context.strokeText(name, ...place);
      context.fillText(name, ...place);
    }
  }
}
