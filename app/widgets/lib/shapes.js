// Drawing functions: arrows, sprites of vertices, and effects of events.

const TAU = 2 * Math.PI;
/** Vertices smaller than this have no label. */
export const LABEL_RADIUS = 7.5;

/** The picture of a vertex, drawn once and then copied. */
export function vertexSprite(look, colour, theme, radius, ratio) {
  const draw = {
    plain: (c) => disc(c, radius, theme.vertex, colour, 1.3),
    ring: (c) => disc(c, radius, theme.vertex, colour, Math.max(1.6, radius * 0.24)),
    full: (c) => disc(c, radius, colour, theme.ground, 1.3),
    square: (c) => square(c, radius, colour, theme.ground),
    spotted: (c) => marked(c, radius, theme, colour, true),
    barred: (c) => marked(c, radius, theme, colour, false),
    hollow: (c) => hollow(c, radius, theme, colour),
  };
  return sprite(radius, ratio, draw[look]);
}

function sprite(radius, ratio, draw) {
  const size = Math.ceil((2 * radius + 6) * ratio);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.translate(size / ratio / 2, size / ratio / 2);
  draw(context);
  return { canvas, half: size / ratio / 2, size: size / ratio };
}

function disc(context, radius, fill, line, width) {
  context.beginPath();
  context.arc(0, 0, radius - width / 2 + 0.5, 0, TAU);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = width;
  context.strokeStyle = line;
  context.stroke();
}

/** A square that looks as large as a disc. */
function square(context, radius, fill, line) {
  const half = radius * 0.88;
  context.beginPath();
  context.roundRect(-half, -half, 2 * half, 2 * half, radius * 0.2);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1.3;
  context.strokeStyle = line;
  context.stroke();
}

/** A filled disc with a pale spot, or a pale bar, so that one hue serves several classes. */
function marked(context, radius, theme, colour, round) {
  disc(context, radius, colour, theme.ground, 1.3);
  context.beginPath();
  if (round) context.arc(0, 0, radius * 0.42, 0, TAU);
  else context.rect(-radius * 0.72, -radius * 0.2, radius * 1.44, radius * 0.4);
  context.fillStyle = theme.ground;
  context.fill();
}

function hollow(context, radius, theme, line) {
  context.setLineDash([radius * 0.5, radius * 0.35]);
  disc(context, radius, theme.ground, line, 1.3);
  context.setLineDash([]);
  if (radius >= LABEL_RADIUS) return; // the number is drawn there
  const arm = radius * 0.4;
  context.beginPath();
  context.moveTo(-arm, -arm);
  context.lineTo(arm, arm);
  context.moveTo(arm, -arm);
  context.lineTo(-arm, arm);
  context.stroke();
}

/** Adds a line from rim to rim to the path; returns where the arrow's head belongs. */
export function arrowLine(context, ax, ay, bx, by, radius, part = 1) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const reach = radius + (Math.max(length - 2 * radius - 1.5, 0) + 0.001) * part;
  const head = { x: ax + ux * reach, y: ay + uy * reach, ux, uy };
  const size = headSize(radius);
  context.moveTo(ax + ux * radius, ay + uy * radius);
  context.lineTo(head.x - ux * size * 0.8, head.y - uy * size * 0.8);
  return head;
}

/** Adds an arrow's head to the path, to be filled. */
export function arrowHead(context, { x, y, ux, uy }, radius) {
  const size = headSize(radius);
  const wide = size * 0.42;
  context.moveTo(x, y);
  context.lineTo(x - ux * size - uy * wide, y - uy * size + ux * wide);
  context.lineTo(x - ux * size * 0.72, y - uy * size * 0.72);
  context.lineTo(x - ux * size + uy * wide, y - uy * size - ux * wide);
  context.closePath();
}

function headSize(radius) {
  return Math.max(5.5, radius * 0.95);
}

export function lineWidths(radius) {
  return {
    link: Math.max(2.2, Math.min(7, radius * 0.55)),
    arrow: Math.max(1.3, Math.min(2.4, radius * 0.2)),
  };
}

const ease = (p) => 1 - (1 - p) ** 3;

const PAINT = { arrow, break: breaking, bounce, pulse, bond };

/** Draws one effect at `progress` of its event's time, 0 to 1. */
export function drawEffect(context, effect, progress, X, Y, radius, theme) {
  if (progress < effect.begin) {
    if (effect.type !== "break") return;
    progress = effect.begin; // the link that breaks is still drawn
  }
  const part = Math.min(1, (progress - effect.begin) / (effect.end - effect.begin));
  context.strokeStyle = context.fillStyle = theme[effect.colour];
  const { from, to, at } = effect;
  if (at !== undefined) PAINT[effect.type](context, X[at], Y[at], part, radius);
  else PAINT[effect.type](context, X[from], Y[from], X[to], Y[to], part, radius);
}

function arrow(context, ax, ay, bx, by, part, radius) {
  context.lineWidth = lineWidths(radius).arrow * 1.9;
  context.beginPath();
  const head = arrowLine(context, ax, ay, bx, by, radius, ease(part));
  context.stroke();
  context.beginPath();
  arrowHead(context, head, radius * 1.35);
  context.fill();
}

/** A link that breaks in the middle; its halves shrink to their ends. */
function breaking(context, ax, ay, bx, by, part, radius) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const half = Math.max(length / 2 - radius, 4); // from the middle to a rim
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  const gap = part === 0 ? 0 : half * (0.12 + 0.33 * ease(part));
  const sway = part === 0 ? 0 : 4 * ease(part);
  context.lineWidth = lineWidths(radius).link * 0.75;
  context.setLineDash(part === 0 ? [] : [5, 4]);
  context.lineCap = "butt";
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(mx + side * ux * half, my + side * uy * half);
    context.lineTo(mx + side * (ux * gap - uy * sway), my + side * (uy * gap + ux * sway));
  }
  context.stroke();
  context.lineCap = "round";
  context.setLineDash([]);
  if (part > 0) cross(context, mx, my, 3.5 + radius * 0.25);
}

/** An arrow that reaches its target and is refused. */
function bounce(context, ax, ay, bx, by, part, radius) {
  const reach = part < 0.45 ? ease(part / 0.45) : 1 - 0.22 * ease((part - 0.45) / 0.55);
  context.lineWidth = lineWidths(radius).arrow * 1.6;
  context.setLineDash([6, 4]);
  context.beginPath();
  const head = arrowLine(context, ax, ay, bx, by, radius, reach);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  arrowHead(context, head, radius * 1.2);
  context.fill();
  if (part < 0.45) return;
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const rim = radius + 5;
  cross(context, bx - ((bx - ax) / length) * rim, by - ((by - ay) / length) * rim, 4);
}

function pulse(context, x, y, part, radius) {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (0.9 - 0.35 * part);
  context.lineWidth = 1.5 + 2.5 * (1 - part);
  context.beginPath();
  context.arc(x, y, radius + 3 + 5 * Math.sin(part * Math.PI), 0, TAU);
  context.stroke();
  context.globalAlpha = alpha;
}

/** A link that grows from its middle. */
function bond(context, ax, ay, bx, by, part, radius) {
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  const grown = ease(part);
  context.lineWidth = lineWidths(radius).link * 1.4;
  context.beginPath();
  context.moveTo(mx + (ax - mx) * grown, my + (ay - my) * grown);
  context.lineTo(mx + (bx - mx) * grown, my + (by - my) * grown);
  context.stroke();
}

export function cross(context, x, y, arm) {
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y - arm);
  context.lineTo(x - arm, y + arm);
  context.stroke();
}
