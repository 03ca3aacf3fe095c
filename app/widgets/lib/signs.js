// The signs of a state on a graph's canvas, each drawn only where tiles are marked: links, arrows,
// halos, vertices and their numbers.  A view has the positions of vertices (X, Y, radius, reach), their
// looks (sprites, styles, theme), and the content of the picture (changes).

import { WARP } from "./changes.js";
import { LABEL_RADIUS, arrowHead, arrowLine, lineWidths } from "./shapes.js";
import { inkOn } from "./theme.js";

const SPRITES = 2500; // more vertices than this are dots while they are small: copying is slow
const FILLED = new Set(["full", "square"]); // looks with a colour behind the number; a spot or a bar is pale
const TINY = 3; // pixels; the radius of a dot whose shape cannot be seen

/** Draws links, arrows and halos, those below the vertices. */
export function drawSigns(context, view, tiles) {
  drawLinks(context, view, tiles);
  drawArrows(context, view, tiles);
  drawHalos(context, view, tiles);
}

function drawLinks(context, view, tiles) {
  const { X, Y, radius, reach, theme, changes } = view;
  const { now } = changes.links;
  context.lineWidth = lineWidths(radius).link;
  for (const [tint, places] of byTint(changes.links, 0, view.tints)) {
    context.strokeStyle = tint ? theme[`sequence-${tint - 1}`] : theme.done;
    context.beginPath();
    for (const i of places) {
      const one = now[i];
      const other = now[i + 1];
      if (!tiles.touches(X[one], Y[one], X[other], Y[other], reach)) continue;
      context.moveTo(X[one], Y[one]);
      context.lineTo(X[other], Y[other]);
    }
    context.stroke();
  }
}

function drawArrows(context, view, tiles) {
  const { X, Y, radius, reach, theme, changes } = view;
  const { now } = changes.arrows;
  context.lineWidth = lineWidths(radius).arrow;
  for (const [tint, places] of byTint(changes.arrows, 1, view.tints)) {
    const heads = [];
    context.strokeStyle = context.fillStyle = tint ? theme[`sequence-${tint - 1}`] : theme.tried;
    context.beginPath();
    for (const i of places) {
      const from = now[i];
      const to = now[i + 1];
      if (!tiles.touches(X[from], Y[from], X[to], Y[to], reach)) continue;
      heads.push(arrowLine(context, X[from], Y[from], X[to], Y[to], radius));
    }
    context.stroke();
    context.beginPath();
    for (const head of heads) arrowHead(context, head, radius);
    context.fill();
  }
}

/** Places of pairs by the tint of their first (0) or second (1) vertex; tint 0 is the default colour. */
function byTint({ now, count }, end, tints) {
  const groups = new Map();
  for (let i = 0; i < count; i += 2) {
    const tint = tints?.[now[i + end]] ?? 0;
    if (!groups.has(tint)) groups.set(tint, []);
    groups.get(tint).push(i);
  }
  return groups;
}

/** A halo round the vertices that are in another state in the run beside this one. */
function drawHalos(context, { X, Y, radius, reach, theme, changes }, tiles) {
  if (!changes.halos) return;
  const wide = haloRadius(radius);
  context.fillStyle = context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let v = 0; v < X.length; ++v) {
    if (!changes.hasHalo(v) || !tiles.touches(X[v], Y[v], X[v], Y[v], reach)) continue;
    context.moveTo(X[v] + wide, Y[v]);
    context.arc(X[v], Y[v], wide, 0, 2 * Math.PI);
  }
  context.globalAlpha = 0.28;
  context.fill();
  context.globalAlpha = 0.9;
  context.stroke();
  context.globalAlpha = 1;
}

function haloRadius(radius) {
  return radius + Math.max(3, radius * 0.45);
}

/** How far a vertex's or a line's sign lies from its middle at most. */
export function reachOf(radius) {
  return haloRadius(radius) + 2;
}

/** Draws vertices, and their numbers where there is room and there are no names. */
export function drawVertices(context, view, tiles) {
  if (view.X.length > SPRITES && view.radius < TINY) drawDots(context, view, tiles);
  else drawSprites(context, view, tiles);
  if (view.radius >= LABEL_RADIUS && !view.names) drawNumbers(context, view, tiles);
}

function drawSprites(context, { X, Y, reach, ratio, changes, sprites, warpSprites }, tiles) {
  for (let v = 0; v < X.length; ++v) {
    if (!tiles.touches(X[v], Y[v], X[v], Y[v], reach)) continue;
    const look = changes.look(v);
    const { canvas, half, size } = look < WARP ? sprites[look] : warpSprites[look - WARP];
    // Whole pixels: copied, not resampled.
    const x = Math.round((X[v] - half) * ratio) / ratio;
    context.drawImage(canvas, x, Math.round((Y[v] - half) * ratio) / ratio, size, size);
  }
}

function drawDots(context, { X, Y, radius, reach, ratio, theme, styles, changes }, tiles) {
  const size = Math.round(2 * radius * ratio) / ratio;
  let last = -1;
  for (let v = 0; v < X.length; ++v) {
    if (!tiles.touches(X[v], Y[v], X[v], Y[v], reach)) continue;
    const look = changes.look(v);
    if (look !== last) {
      context.fillStyle = look < WARP ? theme[styles[look].colour] : theme.warps[look - WARP];
    }
    last = look;
    const x = Math.round((X[v] - radius) * ratio) / ratio;
    context.fillRect(x, Math.round((Y[v] - radius) * ratio) / ratio, size, size);
  }
}

function drawNumbers(context, view, tiles) {
  const { X, Y, radius, reach, theme, styles, changes } = view;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `600 ${Math.max(7, radius * 0.95)}px ${theme.font}`;
  for (let v = 0; v < X.length; ++v) {
    if (!tiles.touches(X[v], Y[v], X[v], Y[v], reach)) continue;
    const look = changes.look(v);
    const { look: kind, colour } = look < WARP ? styles[look] : {};
    const filled = look >= WARP ? theme.warps[look - WARP] : FILLED.has(kind) && theme[colour];
    context.fillStyle = filled ? inkOn(filled, theme) : theme.text;
    context.fillText(view.numberOf?.(v) ?? v, X[v], Y[v] + 0.5);
  }
}
