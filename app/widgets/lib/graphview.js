// The graph on two canvases: edges below, drawn when the view changes; what moves above.  The signs
// of the state are drawn on a third one that is not shown, and there only in the tiles in which
// something has changed; every frame copies it and draws the effects.  So the cost of
// a frame depends on the changes, and the picture is the same as if all of it were drawn.

import { Apart } from "./apart.js";
import { Camera } from "./camera.js";
import { drawChain, drawChainNumbers } from "./chains.js";
import { Changes } from "./changes.js";
import { EdgeWeights } from "./edgeweights.js";
import { Flight } from "./flight.js";
import { Names } from "./names.js";
import { LABEL_RADIUS, drawEffect, vertexSprite } from "./shapes.js";
import { drawSigns, drawVertices, reachOf } from "./signs.js";
import { Tiles } from "./tiles.js";

const MOST = 0.4; // share of the tiles; if more have changed, all are drawn, without a clip
const FEW = 40; // vertices whose numbers stand beside them in a small picture

export class GraphView {
  /** Whether weights are written beside edges. */
  static WEIGHTED = true;
  /** Whether vertices of a small graph are moved where they would cover each other. */
  static LOOSE = true;
  /** Radii that a vertex needs around its middle. */
  static ROOM = 1;

  /** `styles`: how the vertices of each class look. */
  constructor(host, meta, arrays, styles) {
    this.styles = styles;
    this.meta = meta;
    this.x = arrays["layout/x"];
    this.y = arrays["layout/y"];
    this.u = arrays["edges/u"];
    this.v = arrays["edges/v"];
    this.weight = arrays["edges/weight"];
    this.camera = new Camera(this.x, this.y);
    this.X = new Float32Array(this.x.length);
    this.Y = new Float32Array(this.x.length);
    this.below = layer(host);
    this.above = layer(host);
    this.settled = canvasWithContext();
    this.changes = new Changes(this.x.length);
    this.selected = -1;
    this.selectedEdges = [];
    this.byWarp = false;
    this.chain = []; // [{from, to, lost}] to highlight
    this.apart = this.constructor.LOOSE ? Apart.of(this) : null;
    this.shades = shadesOf(this.weight);
    this.weights = this.constructor.WEIGHTED ? EdgeWeights.of(this) : null;
    this.names = meta.names && new Names(meta.names, this);
    // Where few vertices are too small for the numbers in them, numbers stand beside them.
    const few = this.x.length <= FEW;
    this.numbers = few ? new Names(Array.from(this.x, (_, vertex) => String(vertex)), this, true) : null;
  }

  /** What is written beside the vertices. */
  get #beside() {
    return this.names ?? (this.radius < LABEL_RADIUS ? this.numbers : null);
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.camera.resize(width, height);
    fitLayers([this.below, this.above, this.settled], width, height, ratio);
    this.refresh();
  }

  setTheme(theme) {
    this.theme = theme;
    this.refresh();
  }

  /** Moves the camera to some vertices of a large graph; to the whole picture without any. */
  look(vertices) {
    const { camera } = this;
    this.looked = vertices; // their names are written, however small the others are
    const to = camera.sightOf?.(this.x, this.y, vertices);
    const same = to && ["x", "y", "zoom"].every((part) => to[part] === camera.sight[part]);
    this.flight = to && !same ? new Flight(camera, to) : null;
  }

  /** Whether something moves without an event. */
  get moving() {
    return Boolean(this.flight);
  }

  /** Redraws what does not move. */
  refresh() {
    if (!this.theme || !this.ratio) return;
    this.camera.project(this.x, this.y, this.X, this.Y);
    this.radius = this.camera.radius;
    if (this.apart) {
      this.apart.move();
      this.radius = this.apart.radius;
    }
    this.reach = reachOf(this.radius);
    const sprite = (look, colour) =>
      vertexSprite(look, colour, this.theme, this.radius, this.ratio);
    this.sprites = this.styles.map(({ look, colour }) => sprite(look, this.theme[colour]));
    this.warpSprites = this.theme.warps.map((colour) => sprite("full", colour));
    this.#drawEdges();
    this.weights?.place(this.above.context);
    this.#beside?.place(this.above.context);
    const { width, height } = this.above.canvas;
    this.tiles = new Tiles(width, height, this.ratio);
    this.around = new Tiles(width, height, this.ratio);
    this.stale = true;
  }

  /** Where the layout puts the vertices, and how much of the way apart they go: 0 to 1. */
  get laid() {
    return { x: this.x, y: this.y, loose: 1 };
  }

  /** Heavier edges are darker and wider; one path for each of a few shades. */
  #drawEdges() {
    const { context } = this.below;
    this.#clear(this.below);
    const crowd = Math.min(1, 40 / Math.sqrt(this.u.length + 1));
    context.strokeStyle = this.theme.edge;
    this.shades.forEach((edges, shade) => {
      const strength = this.shades.length > 1 ? shade / (this.shades.length - 1) : 0.4;
      context.globalAlpha = (0.3 + 0.6 * strength) * (0.35 + 0.65 * crowd);
      context.lineWidth = 0.7 + 1.3 * strength * crowd;
      this.#lines(context, edges);
    });
    context.globalAlpha = 1;
  }

  #lines(context, edges) {
    const { X, Y, u, v } = this;
    context.beginPath();
    for (const e of edges) {
      context.moveTo(X[u[e]], Y[u[e]]);
      context.lineTo(X[v[e]], Y[v[e]]);
    }
    context.stroke();
  }

  /** `marks` of the family; `effects`: [{effect, progress, alpha}]; `hidden`: arrows not to draw. */
  draw(marks, effects, hidden) {
    if (!this.sprites) return;
    if (this.flight) {
      if (this.flight.advance()) this.flight = null;
      this.refresh();
    }
    this.tints = marks.tints; // of arrows, where the family has some
    this.#settle(marks, hidden);
    const { context } = this.above;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "copy";
    context.drawImage(this.settled.canvas, 0, 0);
    context.globalCompositeOperation = "source-over";
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.lineCap = "round";
    for (const { effect, progress, alpha } of effects) {
      context.globalAlpha = alpha;
      drawEffect(context, effect, progress, this.X, this.Y, this.radius, this.theme);
    }
    context.globalAlpha = 1;
    this.#drawOver(context, effects);
    this.weights?.draw(context, effects);
    this.#beside?.draw(context, effects);
    drawChainNumbers(context, this.chain, this);
  }

  /** Brings the hidden canvas up to date with the state. */
  #settle(marks, hidden) {
    const { tiles, changes, chain } = this;
    const colours = this.byWarp ? this.warpSprites.length : 0;
    changes.take(marks, hidden, chain, colours);
    this.#findChanges();
    if (!tiles.count) return;
    const { context } = this.settled;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (!tiles.all) tiles.clip(context);
    this.#clear(this.settled);
    context.lineCap = "round";
    this.#drawSelection(context);
    drawChain(context, chain, this);
    drawSigns(context, this, tiles);
    drawVertices(context, this, tiles);
    context.restore();
  }

  /** Marks the tiles whose picture has changed. */
  #findChanges() {
    const { tiles, changes, X, Y, reach } = this;
    tiles.clear();
    if (this.stale) tiles.markAll();
    this.stale = false;
    changes.each(
      (one, other) => tiles.mark(X[one], Y[one], X[other], Y[other], reach),
      (v) => tiles.mark(X[v], Y[v], X[v], Y[v], reach),
    );
    if (tiles.share > MOST) tiles.markAll();
  }

  /** Vertices lie over effects. */
  #drawOver(context, effects) {
    const { around, X, Y } = this;
    around.clear();
    for (const { effect } of effects) {
      const from = effect.at ?? effect.from;
      const to = effect.at ?? effect.to;
      around.mark(X[from], Y[from], X[to], Y[to], 1);
    }
    if (around.count) drawVertices(context, this, around);
  }

  #clear({ canvas, context }) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  /** Selects a vertex and its edges; -1 for none. */
  select(vertex) {
    const { u, v } = this;
    this.selected = vertex;
    this.selectedEdges = [];
    this.stale = true;
    if (vertex < 0) return;
    for (let e = 0; e < u.length; ++e) {
      if (u[e] === vertex || v[e] === vertex) this.selectedEdges.push(e);
    }
  }

  #drawSelection(context) {
    if (this.selected < 0) return;
    const { selected } = this;
    context.strokeStyle = this.theme.accent;
    context.lineWidth = 1.4;
    context.globalAlpha = 0.75;
    this.#lines(context, this.selectedEdges);
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(this.X[selected], this.Y[selected], this.radius + 4, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.stroke();
  }

  /** The vertex at a pixel, or -1. */
  pick(px, py) {
    const reach = Math.max(this.radius + 3, 8);
    let [best, nearest] = [-1, reach * reach];
    for (let v = 0; v < this.X.length; ++v) {
      const distance = (this.X[v] - px) ** 2 + (this.Y[v] - py) ** 2;
      if (distance < nearest) [best, nearest] = [v, distance];
    }
    return best;
  }

  remove() {
    this.below.canvas.remove();
    this.above.canvas.remove();
  }
}

export function canvasWithContext() {
  const canvas = document.createElement("canvas");
  return { canvas, context: canvas.getContext("2d") };
}

export function fitLayers(layers, width, height, ratio) {
  for (const { canvas } of layers) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
}

export function layer(host) {
  const made = canvasWithContext();
  made.canvas.className = "wp-layer";
  made.canvas.setAttribute("aria-hidden", "true");
  host.append(made.canvas);
  return made;
}

/** Edges in up to five groups from light to heavy; one group if all weights are equal. */
function shadesOf(weight) {
  const sorted = weight.slice().sort();
  const { length } = sorted;
  if (!length || sorted[0] === sorted[length - 1]) return [Uint32Array.from(weight, (_, e) => e)];
  const bounds = [1, 2, 3, 4].map((part) => sorted[Math.floor((part * length) / 5)]);
  const shadeOf = Uint8Array.from(weight, (w) => bounds.filter((bound) => w >= bound).length);
  const groups = [0, 1, 2, 3, 4].map(() => []);
  shadeOf.forEach((shade, edge) => groups[shade].push(edge));
  return groups.map((edges) => Uint32Array.from(edges));
}
