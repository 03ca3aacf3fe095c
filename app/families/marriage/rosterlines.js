// Lines between two rails, bent so that they leave every card straight; and what moves along them.

import { cross } from "warplens/shapes.js";

const ease = (p) => 1 - (1 - p) ** 3;

/** The line from one person to another: its four points. */
function bend(view, from, to) {
  const { X, Y } = view;
  const middle = (Y[from] + Y[to]) / 2;
  return [X[from], Y[from], X[from], middle, X[to], middle, X[to], Y[to]];
}

function pointAt([ax, ay, bx, by, cx, cy, dx, dy], t) {
  const s = 1 - t;
  const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return [a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy];
}

/** Adds a line, or the part of it from `begin` to `end`, to the path. */
export function trace(context, view, from, to, begin = 0, end = 1) {
  const curve = bend(view, from, to);
  if (begin === 0 && end === 1) {
    context.moveTo(curve[0], curve[1]);
    context.bezierCurveTo(...curve.slice(2));
    return;
  }
  const steps = Math.max(2, Math.ceil(28 * (end - begin)));
  for (let i = 0; i <= steps; ++i) {
    const point = pointAt(curve, begin + ((end - begin) * i) / steps);
    if (i) context.lineTo(...point);
    else context.moveTo(...point);
  }
}

export function widths(radius) {
  return { link: Math.max(1.8, Math.min(6, radius * 1.15)), thin: Math.max(1.1, Math.min(2, radius * 0.4)) };
}

/** Draws one effect at `progress` of its event's time, 0 to 1. */
export function drawFlight(context, view, effect, progress) {
  if (progress < effect.begin) {
    if (effect.type !== "break") return;
    progress = effect.begin; // the line that breaks is still drawn
  }
  const part = Math.min(1, (progress - effect.begin) / (effect.end - effect.begin));
  context.strokeStyle = context.fillStyle = view.theme[effect.colour];
  FLIGHTS[effect.type](context, view, effect, part);
}

const FLIGHTS = { arrow: fly, bounce, break: tear, bond, pulse };

/** A proposal on its way, with a tail. */
function fly(context, view, { from, to, faint }, part) {
  const { thin } = widths(view.radius);
  context.lineWidth = faint ? thin : thin * 1.5;
  if (faint) context.setLineDash([2, 5]);
  const reach = ease(part);
  context.beginPath();
  trace(context, view, from, to, 0, Math.max(reach, 0.01));
  context.stroke();
  context.setLineDash([]);
  if (!faint && part < 1) letter(context, ...pointAt(bend(view, from, to), reach), view.radius);
}

/** The moving sign: a disc with a rim, so that it is visible on any line. */
function letter(context, x, y, radius) {
  const size = Math.max(3.4, Math.min(6.5, 1.25 * radius));
  const alpha = context.globalAlpha;
  context.globalAlpha = 0.25 * alpha;
  context.beginPath();
  context.arc(x, y, 1.9 * size, 0, 2 * Math.PI);
  context.fill();
  context.globalAlpha = alpha;
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fill();
}

/** A proposal that arrives and is refused: its line breaks into pieces. */
function bounce(context, view, { from, to, faint }, part) {
  const turn = 0.45;
  if (part < turn) {
    fly(context, view, { from, to, faint }, part / turn);
    return;
  }
  const after = (part - turn) / (1 - turn);
  const { thin } = widths(view.radius);
  context.lineWidth = thin * 1.3;
  context.setLineDash([5, 4 + 9 * ease(after)]);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (0.9 - 0.45 * after);
  context.beginPath();
  trace(context, view, from, to, 0, 1 - 0.14 * ease(after));
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = alpha;
  if (faint) return;
  const [x, y] = pointAt(bend(view, from, to), 0.86);
  spark(context, x, y, after, view.radius);
  cross(context, x, y, Math.max(3.2, Math.min(5, view.radius)));
}

/** An engagement that is broken: its halves shrink. */
function tear(context, view, { from, to }, part) {
  const { link } = widths(view.radius);
  const gap = part === 0 ? 0 : 0.08 + 0.34 * ease(part);
  context.lineWidth = link * (1 - 0.45 * part);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (1 - 0.4 * part);
  context.lineCap = "butt";
  context.beginPath();
  trace(context, view, from, to, 0, 0.5 - gap);
  trace(context, view, from, to, 0.5 + gap, 1);
  context.stroke();
  context.lineCap = "round";
  context.globalAlpha = alpha;
  if (part === 0) return;
  const [x, y] = pointAt(bend(view, from, to), 0.5);
  spark(context, x, y, part, view.radius);
  cross(context, x, y, Math.max(3.2, Math.min(5, view.radius)));
}

/** An engagement: it grows from her to him and holds. */
function bond(context, view, { from, to }, part) {
  context.lineWidth = widths(view.radius).link * (1 + 0.9 * Math.sin(part * Math.PI));
  context.beginPath();
  trace(context, view, from, to, 1 - Math.max(0.01, ease(part)), 1);
  context.stroke();
}

function pulse(context, { X, Y, radius }, { at }, part) {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (0.9 - 0.6 * part);
  context.lineWidth = 1.4 + 2.2 * (1 - part);
  context.beginPath();
  context.arc(X[at], Y[at], radius + 3 + 8 * part, 0, 2 * Math.PI);
  context.stroke();
  context.globalAlpha = alpha;
}

/** A short flash: rays that run outwards and fade. */
function spark(context, x, y, part, radius) {
  if (part >= 1) return;
  const size = 5 + radius * 0.8;
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (1 - part);
  context.lineWidth = 1.6;
  context.beginPath();
  for (let i = 0; i < 8; ++i) {
    const [ux, uy] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    const [near, far] = [size * (0.7 + part), size * (1.1 + 1.5 * ease(part))];
    context.moveTo(x + ux * near, y + uy * near);
    context.lineTo(x + ux * far, y + uy * far);
  }
  context.stroke();
  context.globalAlpha = alpha;
}
