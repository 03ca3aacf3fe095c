// A player's picture for a file, with its legend and its sentence below: as pixels, or as SVG drawn by the
// same code.

import { Vector, safe, withVectors } from "./vector.js";

const CAPTION = 46; // pixels of text below the picture
const ROW = 20; // pixels of a row of the legend
const EDGE = 12;

/** The picture on a canvas, with so many pixels of the file for one of the page. */
export function pixelsOf(player, title, ratio) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const size = sizeOf(player, context);
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  context.scale(ratio, ratio);
  compose(context, player, title, size, player.stage.root);
  return canvas;
}

/** The picture as the text of an SVG file. */
export function vectorsOf(player, title) {
  const { stage, marks, effects } = player;
  const host = document.createElement("div");
  host.style.cssText = `position: absolute; left: -99999px; top: 0; width: ${stage.root.clientWidth}px; height: ${stage.root.clientHeight}px`;
  stage.root.append(host);
  try {
    return withVectors(() => {
      const { active, hidden } = effects.at(performance.now());
      const twin = stage.twin(host);
      twin.draw(marks, active, hidden);
      if (twin.arrive) {
        twin.arrive(stage.view);
        twin.draw(marks, active, hidden);
      }
      const context = new Vector(host, document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext("2d"));
      const size = sizeOf(player, context);
      compose(context, player, title, size, host);
      const { width, height } = size;
      const about = player.root.querySelector(".wp-now")?.textContent ?? "";
      const names = `<title>${safe(title)}</title>\n<desc>${safe(about)}</desc>`;
      return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${names}\n${context.content}\n</svg>\n`;
    });
  } finally {
    host.remove();
  }
}

function sizeOf(player, context) {
  const { root } = player.stage;
  const [width, tall] = [root.clientWidth, root.clientHeight];
  context.font = `12px ${getComputedStyle(root).fontFamily}`;
  const legend = placed(context, legendOf(player), width);
  const below = tall + ROW * (legend.length ? legend.at(-1).row + 1 : 0);
  return { width, tall, legend, below, height: below + CAPTION };
}

/** Draws the layers of a picture that is in `host`, and what stands below it. */
function compose(context, player, title, { width, tall, legend, below, height }, host) {
  const style = getComputedStyle(player.stage.root);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height);
  const frame = host.getBoundingClientRect();
  for (const layer of host.querySelectorAll("canvas.wp-layer")) {
    const box = layer.getBoundingClientRect();
    context.drawImage(layer, box.left - frame.left, box.top - frame.top, box.width, box.height);
  }
  context.textBaseline = "middle";
  context.font = `12px ${style.fontFamily}`;
  for (const entry of legend) drawEntry(context, entry, tall + (entry.row + 0.5) * ROW, style.color, player.theme.warps);
  caption(context, player, title, style, width, below);
}

/** The visible entries of the legend: their texts and signs. */
function legendOf(player) {
  return [...player.root.querySelectorAll(".wp-legend li")]
    .filter((item) => item.getClientRects().length)
    .map((item) => {
      const sign = item.querySelector(".wp-sign");
      const text = item.textContent.trim();
      return { text, sign: sign && getComputedStyle(sign), line: sign && lineOver(sign) };
    });
}

/** The line that a style sheet draws over a sign, if there is one. */
function lineOver(sign) {
  const { content, borderTopColor, borderTopWidth } = getComputedStyle(sign, "::after");
  return content === "none" ? null : { colour: borderTopColor, width: parseFloat(borderTopWidth) };
}

/** Places entries side by side, in as many rows as needed. */
function placed(context, entries, width) {
  let [x, row] = [EDGE, 0];
  return entries.map((entry) => {
    const before = entry.sign ? parseFloat(entry.sign.width) + 7 : 90;
    const wide = before + context.measureText(entry.text).width + 16;
    if (x > EDGE && x + wide > width) [x, row] = [EDGE, row + 1];
    const place = { ...entry, x, row, words: x + before };
    x += wide;
    return place;
  });
}

/** Draws a sign as the page's style sheet defines it; without a sign, the warps' colours. */
function drawEntry(context, { text, sign, line, x, words }, y, colour, warps) {
  if (sign) drawSign(context, sign, x, y);
  else warps.forEach((warp, i) => drawDisc(context, x + 5 + 10.5 * i, y, 4.5, warp));
  if (line) {
    context.fillStyle = line.colour;
    context.fillRect(x - 2, y - line.width / 2, parseFloat(sign.width) + 4, line.width);
  }
  context.fillStyle = colour;
  context.globalAlpha = 0.8;
  context.fillText(text, words, y);
  context.globalAlpha = 1;
}

function drawSign(context, sign, x, y) {
  const [wide, tall, line] = [sign.width, sign.height, sign.borderTopWidth].map(parseFloat);
  context.strokeStyle = sign.borderTopColor;
  context.lineWidth = line;
  context.setLineDash(sign.borderTopStyle === "dashed" ? [3, 2.5] : []);
  if (tall < 4) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + wide, y);
  } else {
    const colours = sign.backgroundImage.match(/rgba?\([^)]*\)/g) ?? [sign.backgroundColor];
    if (wide > tall) drawBar(context, x, y, wide, tall, colours[0]);
    else {
      colours.forEach((colour, i) => drawDisc(context, x + wide / 2, y, wide / 2, colour, i / colours.length));
      context.beginPath();
      context.arc(x + wide / 2, y, wide / 2, 0, 2 * Math.PI);
    }
  }
  if (line) context.stroke();
  context.setLineDash([]);
}

/** A sign that is wider than high: a place in a list, an offer. */
function drawBar(context, x, y, wide, tall, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y - tall / 2, wide, tall, 2);
  context.fill();
}

/** A disc, or a sector of it from a part of a turn on. */
function drawDisc(context, x, y, radius, colour, from = 0) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, radius, (2 * from - 0.5) * Math.PI, 1.5 * Math.PI);
  context.fill();
}

function caption(context, player, title, style, width, height) {
  const text = (selector) => player.root.querySelector(selector)?.textContent ?? "";
  const place = text(".wp-counter").replaceAll("\n", " · ");
  context.fillStyle = style.color;
  context.font = `600 13px ${style.fontFamily}`;
  context.fillText(text(".wp-now"), EDGE, height + 14, width - 2 * EDGE);
  context.globalAlpha = 0.7;
  context.font = `12px ${style.fontFamily}`;
  const line = [title, place, text(".wp-measures")].filter(Boolean).join("  ·  ");
  context.fillText(line, EDGE, height + 33, width - 2 * EDGE);
  context.globalAlpha = 1;
}
