// Drawing functions: a stack of offers, an offer that falls out of it, and the pie of small pictures.

const TAU = 2 * Math.PI;

/** Sizes of the stacks for a vertex's radius; `headed`: a stack has a head with the vertex's number. */
export function sizesOf(radius, headed) {
  const head = headed ? Math.max(9, 0.8 * radius) : 0.34 * radius;
  return { radius, wide: 2.1 * radius, head, headed, inset: Math.max(2, 0.2 * radius) };
}

/** The box of a stack with so many slots, around the vertex's place; many slots are thin. */
export function boxOf(x, y, { radius, wide, head, inset }, slots) {
  const slot = Math.min(0.52 * radius, (2 * radius) / Math.max(1, slots));
  const high = head + slots * slot + (slots ? inset * 0.8 : 0);
  return { left: x - wide / 2, top: y - high / 2, wide, high, slot };
}

/** Draws the box, its head and its empty slots. */
export function drawBox(context, box, sizes, slots, { theme, line, warp, text }) {
  const { left, top, wide, high, slot } = box;
  const { head, inset } = sizes;
  context.beginPath();
  context.roundRect(left, top, wide, high, Math.min(4, sizes.radius * 0.3));
  context.fillStyle = theme.ground;
  context.fill();
  context.save();
  context.clip();
  context.fillStyle = warp ?? line;
  context.globalAlpha = warp ? 1 : 0.26;
  context.fillRect(left, top, wide, head);
  context.restore();
  context.lineWidth = 1.4;
  context.strokeStyle = warp ?? line;
  context.setLineDash(slots ? [] : [3, 2]);
  context.stroke();
  context.setLineDash([]);
  if (slot >= 3) {
    context.lineWidth = 1;
    context.strokeStyle = theme["vertex-line"];
    context.globalAlpha = 0.55;
    context.beginPath();
    for (let i = 0; i < slots; ++i) {
      const y = Math.round(top + head + (i + 1) * slot) - 0.5;
      context.moveTo(left + inset, y);
      context.lineTo(left + wide - inset, y);
    }
    context.stroke();
    context.globalAlpha = 1;
  }
  if (!text) return;
  context.font = `600 ${Math.max(8, head * 0.86)}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = warp ? theme.ground : theme.text;
  context.fillText(text, left + wide / 2, top + head / 2 + 0.8);
}

/** The place of a stack's bar; `share`, 0 to 1, is its length. */
export function barOf({ left, top, wide, slot }, { head, inset }, place, share) {
  const high = slot >= 3 ? slot - 1.6 : slot;
  const room = wide - 2 * inset;
  return { x: left + inset, y: top + head + place * slot + (slot >= 3 ? 0.6 : 0), wide: Math.max(3, room * share), high };
}

/** A mutual offer is solid, one that is held here only is hollow. */
export function drawBar(context, { x, y, wide, high }, mutual, theme) {
  if (mutual || high < 2.6) {
    context.fillStyle = mutual ? theme.done : theme.tried;
    context.fillRect(x, y, wide, high);
    return;
  }
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.22;
  context.fillStyle = context.strokeStyle = theme.tried;
  context.fillRect(x, y, wide, high);
  context.globalAlpha = alpha;
  context.lineWidth = 1.3;
  context.strokeRect(x + 0.65, y + 0.65, wide - 1.3, high - 1.3);
}

/** An offer that falls from the bottom of a stack; at `part` 1 it lies below, struck out. */
export function drawFall(context, { x, y, wide, high }, part, reach, theme) {
  const fallen = part * part;
  const tall = Math.max(4.5, high);
  context.save();
  context.translate(x + wide / 2 + 0.35 * reach * part, y + tall / 2 + reach * fallen);
  context.rotate(0.5 * part);
  context.strokeStyle = context.fillStyle = theme.undone;
  context.globalAlpha *= 0.25;
  context.fillRect(-wide / 2, -tall / 2, wide, tall);
  context.globalAlpha *= 4;
  context.lineWidth = 1.6;
  context.setLineDash([3, 2]);
  context.strokeRect(-wide / 2, -tall / 2, wide, tall);
  context.setLineDash([]);
  if (part > 0.6) {
    context.beginPath();
    context.moveTo(-wide / 2 - 2, tall / 2 + 2);
    context.lineTo(wide / 2 + 2, -tall / 2 - 2);
    context.stroke();
  }
  context.restore();
}

/** A vertex as a pie of its slots: mutual offers fill their sector, others its rim only. */
export function pieSprite({ slots, mutual, others, alone }, theme, radius, ratio) {
  const size = Math.ceil((2 * radius + 6) * ratio);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.translate(size / ratio / 2, size / ratio / 2);
  const line = mutual === slots && slots ? theme.done : mutual || others ? theme["vertex-line"] : alone ? theme.minor : theme["vertex-line"];
  disc(context, radius, theme.vertex);
  const turn = (i) => -TAU / 4 + (TAU * i) / Math.max(1, slots);
  if (mutual) sector(context, radius, turn(0), turn(mutual), theme.done);
  if (others) {
    context.beginPath();
    context.arc(0, 0, radius * 0.74, turn(mutual), turn(mutual + others));
    context.lineWidth = radius * 0.5;
    context.strokeStyle = theme.tried;
    context.stroke();
  }
  if (radius >= 5 && slots > 1 && slots <= 6) spokes(context, radius, slots, turn, theme);
  context.beginPath();
  context.arc(0, 0, radius, 0, TAU);
  context.lineWidth = 1.2;
  context.strokeStyle = line;
  if (alone && !mutual) context.setLineDash([radius * 0.6, radius * 0.4]);
  context.stroke();
  return { canvas, half: size / ratio / 2, size: size / ratio };
}

function disc(context, radius, fill) {
  context.beginPath();
  context.arc(0, 0, radius, 0, TAU);
  context.fillStyle = fill;
  context.fill();
}

function sector(context, radius, from, to, fill) {
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, radius, from, to);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
}

function spokes(context, radius, slots, turn, theme) {
  context.beginPath();
  for (let i = 0; i < slots; ++i) {
    context.moveTo(0, 0);
    context.lineTo(radius * Math.cos(turn(i)), radius * Math.sin(turn(i)));
  }
  context.lineWidth = 0.9;
  context.strokeStyle = theme.ground;
  context.stroke();
}
