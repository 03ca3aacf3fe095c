// The graph on two canvases: edges below, drawn when the view changes; what moves above.

import { Camera } from "./camera.js";
import { drawChain, drawChainNumbers } from "./chains.js";
import { Names } from "./names.js";
import {
  LABEL_RADIUS,
  arrowHead,
  arrowLine,
  drawEffect,
  lineWidths,
  vertexSprite,
} from "./shapes.js";

const SPRITES = 2500; // more vertices than this are dots: without a GPU, copying is slow

export class GraphView {
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
    this.selected = -1;
    this.byWarp = false;
    this.chain = []; // [{from, to, lost}] to be lit
    this.shades = shadesOf(this.weight);
    this.names = meta.names && new Names(meta.names, this);
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.camera.resize(width, height);
    for (const { canvas } of [this.below, this.above]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.refresh();
  }

  setTheme(theme) {
    this.theme = theme;
    this.refresh();
  }

  /** Redraws what does not move. */
  refresh() {
    if (!this.theme || !this.ratio) return;
    this.camera.project(this.x, this.y, this.X, this.Y);
    this.radius = this.camera.radius;
    const sprite = (look, colour) =>
      vertexSprite(look, colour, this.theme, this.radius, this.ratio);
    this.sprites = this.styles.map(({ look, colour }) => sprite(look, this.theme[colour]));
    this.warpSprites = this.theme.warps.map((colour) => sprite("full", colour));
    this.#drawEdges();
    this.names?.place(this.above.context);
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
    const { context } = this.above;
    this.#clear(this.above);
    context.lineCap = "round";
    this.#drawSelection(context);
    drawChain(context, this.chain, this);
    this.#drawLinks(context, marks.links, hidden);
    this.#drawArrows(context, marks.arrows, hidden);
    if (marks.differing?.length) this.#drawDiffering(context, marks.differing);
    for (const { effect, progress, alpha } of effects) {
      context.globalAlpha = alpha;
      drawEffect(context, effect, progress, this.X, this.Y, this.radius, this.theme);
    }
    context.globalAlpha = 1;
    this.#drawVertices(context, marks);
    if (this.names) this.names.draw(context, effects);
    else if (this.radius >= LABEL_RADIUS) this.#drawNumbers(context, marks);
    drawChainNumbers(context, this.chain, this);
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

  /** A halo round the vertices that are in another state in the run beside this one. */
  #drawDiffering(context, vertices) {
    const reach = this.radius + Math.max(3, this.radius * 0.45);
    context.fillStyle = context.strokeStyle = this.theme.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    for (const v of vertices) {
      context.moveTo(this.X[v] + reach, this.Y[v]);
      context.arc(this.X[v], this.Y[v], reach, 0, 2 * Math.PI);
    }
    context.globalAlpha = 0.28;
    context.fill();
    context.globalAlpha = 0.9;
    context.stroke();
    context.globalAlpha = 1;
  }

  #drawLinks(context, links, hidden) {
    const { X, Y } = this;
    context.strokeStyle = this.theme.matched;
    context.lineWidth = lineWidths(this.radius).link;
    context.beginPath();
    for (let i = 0; i < links.length; i += 2) {
      const [one, other] = [links[i], links[i + 1]];
      if (hidden.has(one) || hidden.has(other)) continue;
      context.moveTo(X[one], Y[one]);
      context.lineTo(X[other], Y[other]);
    }
    context.stroke();
  }

  #drawArrows(context, arrows, hidden) {
    const { X, Y, radius } = this;
    context.strokeStyle = context.fillStyle = this.theme.proposal;
    context.lineWidth = lineWidths(radius).arrow;
    const heads = [];
    context.beginPath();
    for (let i = 0; i < arrows.length; i += 2) {
      const [from, to] = [arrows[i], arrows[i + 1]];
      if (!hidden.has(from)) heads.push(arrowLine(context, X[from], Y[from], X[to], Y[to], radius));
    }
    context.stroke();
    context.beginPath();
    for (const head of heads) arrowHead(context, head, radius);
    context.fill();
  }

  #drawVertices(context, marks) {
    const { X, Y, ratio } = this;
    const warp = this.byWarp ? marks.warps : null;
    if (X.length > SPRITES) {
      this.#drawDots(context, marks.classes, warp);
      return;
    }
    for (let v = 0; v < X.length; ++v) {
      const sprite =
        warp && warp[v] >= 0
          ? this.warpSprites[warp[v] % this.warpSprites.length]
          : this.sprites[marks.classes[v]];
      const { canvas, half, size } = sprite;
      // Whole pixels: copied, not resampled.
      const x = Math.round((X[v] - half) * ratio) / ratio;
      context.drawImage(canvas, x, Math.round((Y[v] - half) * ratio) / ratio, size, size);
    }
  }

  #drawDots(context, classes, warp) {
    const { X, Y, theme, ratio } = this;
    const palette = warp ? theme.warps : this.styles.map(({ colour }) => theme[colour]);
    const size = Math.round(2 * this.radius * ratio) / ratio;
    let last = -1;
    for (let v = 0; v < X.length; ++v) {
      const colour = warp ? Math.max(warp[v], 0) % palette.length : classes[v];
      if (colour !== last) context.fillStyle = palette[colour];
      last = colour;
      const x = Math.round((X[v] - this.radius) * ratio) / ratio;
      context.fillRect(x, Math.round((Y[v] - this.radius) * ratio) / ratio, size, size);
    }
  }

  #drawNumbers(context, marks) {
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.max(7, this.radius * 0.95)}px ${this.theme.font}`;
    for (let v = 0; v < this.X.length; ++v) {
      const filled = this.byWarp || this.styles[marks.classes[v]].look === "full";
      context.fillStyle = filled ? this.theme.ground : this.theme.text;
      context.fillText(v, this.X[v], this.Y[v] + 0.5);
    }
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


function layer(host) {
  const canvas = document.createElement("canvas");
  canvas.className = "wp-layer";
  canvas.setAttribute("aria-hidden", "true");
  host.append(canvas);
  return { canvas, context: canvas.getContext("2d") };
}

/** Edges in up to five groups from light to heavy; one group if all weights are equal. */
function shadesOf(weight) {
  const order = [...weight.keys()].sort((one, other) => weight[one] - weight[other]);
  if (!order.length || weight[order[0]] === weight[order.at(-1)]) return [order];
  const groups = [[], [], [], [], []];
  order.forEach((edge, rank) => groups[Math.floor((rank * 5) / order.length)].push(edge));
  return groups;
}
