// Colours of events that remain apart without colours: what undoes a change is striped, what changes
// nothing is dotted. player.css has the same signs for keys of pictures.

import { element } from "./dom.js";

const SIDE = 6; // pixels of the pattern
const MARKS = { undone: stripes, minor: dots };

/** What to fill the events of a band with: a colour, or a pattern in that colour. */
export function bandFill(context, theme, colour, ratio = 1) {
  const mark = MARKS[colour];
  if (!mark) return theme[colour];
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(SIDE * ratio);
  const brush = tile.getContext("2d");
  const scale = tile.width / SIDE;
  brush.scale(scale, scale);
  brush.fillStyle = theme[colour];
  brush.fillRect(0, 0, SIDE, SIDE);
  brush.fillStyle = brush.strokeStyle = theme.ground;
  mark(brush);
  const pattern = context.createPattern(tile, "repeat");
  // Patterns are laid in the picture's units.
  pattern.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern;
}

/** The sign of a band in the key of a picture. */
export function bandSign(colour) {
  const mark = colour in MARKS ? ` wp-band-${colour}` : "";
  return element("i", { class: `wp-band${mark}`, style: `--band: var(--wp-${colour})` });
}

/** Rising lines that meet at the borders of the tile. */
function stripes(brush) {
  brush.lineWidth = 1.5;
  brush.beginPath();
  for (const shift of [-SIDE, 0, SIDE]) {
    brush.moveTo(shift - 1, SIDE + 1);
    brush.lineTo(shift + SIDE + 1, -1);
  }
  brush.stroke();
}

function dots(brush) {
  brush.beginPath();
  brush.arc(SIDE / 2, SIDE / 2, 1.3, 0, 2 * Math.PI);
  brush.fill();
}
