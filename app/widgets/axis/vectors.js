// The axis of warps as SVG, for a paper: the part of the time and the warps that the page shows.

import { DOING } from "./rows.js";
import { niceStep } from "./canvas.js";
import { Folds } from "./folds.js";

const [LEFT, WIDE, RULER, KEY] = [64, 860, 34, 24];
const APART = 60; // between two times of the ruler
/** How each thing is painted: a colour of the theme, its share, and the part of the row's height. */
const LOOKS = new Map([
  [DOING.WORK, ["accent", 1, 0.86, "at work"]],
  [DOING.WAIT, ["undone", 0.85, 0.5, "waits for others"]],
  [DOING.BETWEEN, ["accent", 0.45, 0.5, "before its next event"]],
  [DOING.UNTIMED, ["soft", 0.8, 0.3, "work without an event"]],
]);
const short = (number) => String(Math.round(number * 100) / 100);
const safe = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The axis as the text of an SVG file. */
export function vectorsOf({ rows, folds, camera, theme, axis, timeText }, title) {
  const { from, to, first, last } = camera;
  const row = Math.max(1.5, Math.min(14, 480 / (last - first)));
  const high = row * (last - first);
  const x = (place) => LEFT + (WIDE * (place - from)) / (to - from || 1);
  const text = (at, y, words, anchor = "start") =>
    `<text x="${short(at)}" y="${short(y)}" text-anchor="${anchor}" fill="${theme.text}">${safe(words)}</text>`;
  const parts = [];
  const seen = new Set();
  for (let warp = first; warp < last; ++warp) {
    const top = (warp - first) * row;
    for (let i = rows.first[warp]; i < rows.first[warp + 1]; ++i) {
      const look = LOOKS.get(rows.doing[i]);
      const [begin, end] = [rows.begin[i], rows.end[i]].map((event) => Math.max(from, Math.min(to, folds.places[event])));
      if (!look || end <= begin) continue;
      const [colour, alpha, part] = look;
      seen.add(look);
      const box = `x="${short(x(begin))}" y="${short(top + (row * (1 - part)) / 2)}" width="${short(x(end) - x(begin))}" height="${short(row * part)}"`;
      parts.push(`<rect ${box} fill="${theme[colour]}" opacity="${alpha}"/>`);
    }
    for (const event of rows.eventsOf(warp)) {
      const at = folds.places[event];
      if (at < from || at > to) continue;
      const place = `x1="${short(x(at))}" x2="${short(x(at))}" y1="${short(top)}" y2="${short(top + row)}"`;
      parts.push(`<line ${place} stroke="${rows.atomic[event] ? theme.tried : theme.text}" stroke-width="0.6"/>`);
    }
  }
  const step = niceStep((to - from) / 8 || 1);
  let free = LEFT - APART; // where the last time of the ruler is
  for (const [begin, end] of folds.stretches(from, to)) {
    for (let time = Math.ceil(begin / step) * step; time <= end; time += step) {
      const at = x(folds.placeAt(time));
      parts.push(`<line x1="${short(at)}" x2="${short(at)}" y1="${short(high)}" y2="${short(high + 5)}" stroke="${theme.text}"/>`);
      if (at < free + APART) continue;
      parts.push(text(at, high + 18, timeText(time), "middle"));
      free = at;
    }
  }
  for (const gap of folds.shown.filter(({ at, wide }) => at < to && at + wide > from)) {
    const [left, right] = [x(Math.max(from, gap.at)), x(Math.min(to, gap.at + gap.wide))];
    parts.push(`<rect class="gap" x="${short(left)}" y="0" width="${short(right - left)}" height="${short(high)}" fill="${theme.ground}"/>`);
    for (const side of [left, right]) {
      parts.push(`<line x1="${short(side)}" x2="${short(side)}" y1="0" y2="${short(high)}" stroke="${theme.soft}" stroke-dasharray="2 2"/>`);
    }
    const middle = `transform="rotate(-90 ${short((left + right) / 2)} ${short(high / 2)})"`;
    const size = Math.min(9, right - left);
    parts.push(`<text x="${short((left + right) / 2)}" y="${short(high / 2 + size / 3)}" ${middle} text-anchor="middle" font-size="${short(size)}" fill="${theme.soft}">${safe(Folds.label(gap, timeText))}</text>`);
  }
  parts.push(text(LEFT - 8, row * 0.5 + 4, `${axis.noun} ${first}`, "end"));
  if (last - first > 1) parts.push(text(LEFT - 8, high - row * 0.5 + 4, last - 1, "end"));
  [...seen].forEach(([colour, alpha, , words], i) => {
    const at = LEFT + i * 190;
    parts.push(`<rect x="${at}" y="${short(high + RULER)}" width="12" height="10" fill="${theme[colour]}" opacity="${alpha}"/>`);
    parts.push(text(at + 18, high + RULER + 9, words));
  });
  const [width, height] = [LEFT + WIDE + 36, short(high + RULER + KEY)];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`;
  return `${head}\n<title>${safe(title)}</title>\n<rect width="100%" height="100%" fill="${theme.ground}"/>\n${parts.join("\n")}\n</svg>\n`;
}
