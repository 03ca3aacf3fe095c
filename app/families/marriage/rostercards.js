// One person of a rail: a card with a name and a list to read, or a strip of cells where there is
// no room for words.  In both the best choice stands at the top.

import { PLACE } from "./preferences.js";

const CORNER = 8;
const SLIM = 60; // cards narrower than this have no room for dots and words

/** How a place in a list is coloured, and whether it is struck out. */
export const PAINT = {
  [PLACE.open]: { ink: "text" },
  [PLACE.partner]: { fill: "done", ink: "ground", bold: true },
  [PLACE.refused]: { ink: "soft", strike: "undone", sign: "✕" },
  [PLACE.passed]: { ink: "soft", strike: "minor" },
  [PLACE.left]: { ink: "soft", strike: "tried", sign: "↷" },
  [PLACE.closed]: { ink: "minor", faint: true },
  [PLACE.asked]: { line: "tried", ink: "text", bold: true },
};

/** Draws cards; keeps the names that it has cut to fit. */
export class Cards {
  constructor(view) {
    this.view = view;
    this.fitted = new Map();
  }

  /** Where a person's card, or strip, is. */
  boxOf(person) {
    const { X, camera, men } = this.view;
    const { depth, tracks } = camera;
    const wide = camera.cards ? Math.min(camera.spacing - 7, 148) : Math.min(camera.spacing, 2 * camera.radius + 6);
    const top = person < men ? tracks.men - depth : tracks.women;
    return { left: X[person] - wide / 2, top, width: wide, height: depth };
  }

  /** Clears a card and its surroundings. */
  erase(context, person) {
    const { left, top, width, height } = this.boxOf(person);
    const half = Math.max(width / 2 + (this.view.camera.cards ? 3.5 : 0), 0.5);
    context.clearRect(left + width / 2 - half, top - 4, 2 * half, height + 8);
  }

  /** `entries`: what has become of each place; `look`: of the person. */
  draw(context, person, entries, look) {
    if (this.view.camera.cards) this.#card(context, person, entries, look);
    else this.#strip(context, person, entries, look);
  }

  #card(context, person, entries, look) {
    const { theme, camera } = this.view;
    const box = this.boxOf(person);
    const colour = theme[look.colour];
    context.fillStyle = theme.raised;
    context.strokeStyle = look.full ? colour : theme.line;
    context.lineWidth = look.full ? 1.6 : 1.1;
    context.setLineDash(look.dashed ? [4, 3] : []);
    context.beginPath();
    context.roundRect(box.left, box.top, box.width, box.height, CORNER);
    context.fill();
    context.save();
    context.clip();
    context.globalAlpha = look.full ? 0.2 : 0.5;
    context.fillStyle = look.full ? colour : theme.line;
    context.fillRect(box.left, box.top, box.width, camera.head);
    context.restore();
    context.stroke();
    context.setLineDash([]);
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = look.dashed ? theme.soft : theme.text;
    const aside = box.width < SLIM ? 5 : 8;
    const font = `700 ${box.width < SLIM ? 11 : 12}px ${theme.font}`;
    const places = this.view.places?.[person] ?? 1;
    const free = box.width - 2 * aside - (places > 1 ? 24 : 0);
    const middle = box.top + camera.head / 2 + 0.5;
    context.fillText(this.#title(context, person, font, free), box.left + aside, middle);
    if (places > 1) this.#places(context, places, box.left + box.width - 8, middle);
    this.#list(context, person, entries, box);
  }

  /** A name, or where it is a number and there is no room, the letter of the side and that. */
  #title(context, person, font, room) {
    context.font = font;
    const name = this.view.nameOf(person);
    const fits = context.measureText(name).width <= room;
    return this.#fit(context, fits ? name : this.view.shortOf(person), font, room);
  }

  /** The lines of a list that fit: those around the current place. */
  #list(context, person, entries, box) {
    const { camera, lists } = this.view;
    const shown = Math.min(camera.lines, entries.length);
    const first = firstShown(entries, shown);
    for (let i = 0; i < shown; ++i) {
      const place = first + i;
      const top = box.top + camera.head + 2 + i * camera.row;
      const cut = (i === 0 && first > 0) || (i === shown - 1 && first + shown < entries.length);
      if (cut) this.#more(context, i ? entries.length - place : first + 1, top, box);
      else this.#line(context, place + 1, this.view.shortOf(lists.at(person, place)), entries[place], top, box);
    }
  }

  #places(context, count, right, middle) {
    context.font = `600 10.5px ${this.view.theme.font}`;
    context.fillStyle = this.view.theme.soft;
    context.textAlign = "right";
    context.fillText(`× ${count}`, right, middle);
    context.textAlign = "left";
  }

  #more(context, count, top, box) {
    const { theme, camera } = this.view;
    context.font = `500 10px ${theme.font}`;
    context.fillStyle = theme.soft;
    context.fillText(box.width < SLIM ? `⋯ ${count}` : `⋯ ${count} more`, box.left + 8, top + camera.row / 2 + 0.5);
  }

  #line(context, rank, name, entry, top, box) {
    const { theme, camera } = this.view;
    const paint = PAINT[entry];
    const [left, width, middle] = [box.left + 4, box.width - 8, top + camera.row / 2];
    if (paint.fill || paint.line) {
      context.beginPath();
      context.roundRect(left, top + 0.5, width, camera.row - 1, Math.min(5, camera.row / 2));
      context.fillStyle = context.strokeStyle = theme[paint.fill ?? paint.line];
      context.lineWidth = 1.5;
      if (paint.fill) context.fill();
      else context.stroke();
    }
    const [narrow, signed] = [width < 74, paint.sign && width >= 50];
    context.globalAlpha = paint.faint ? 0.5 : 1;
    context.font = `500 9.5px ${theme.font}`;
    context.fillStyle = paint.fill ? theme[paint.ink] : theme.soft;
    context.textAlign = "right";
    if (!narrow) context.fillText(rank, left + 14, middle + 0.5);
    context.textAlign = "left";
    context.fillStyle = theme[paint.ink];
    const start = left + (narrow ? 4 : 19);
    const font = `${paint.bold ? 650 : 450} ${Math.min(11.5, camera.row - 2)}px ${theme.font}`;
    const text = this.#fit(context, name, font, left + width - start - (signed ? 13 : 3));
    context.fillText(text, start, middle + 0.5);
    if (paint.strike) this.#strike(context, paint, start, context.measureText(text).width, middle);
    if (signed) this.#sign(context, paint, left + width - 3, middle);
    context.globalAlpha = 1;
  }

  #strike(context, { strike }, start, length, middle) {
    const { theme } = this.view;
    context.strokeStyle = theme[strike];
    context.lineWidth = 1.3;
    context.beginPath();
    context.moveTo(start - 1, middle + 0.5);
    context.lineTo(start + length + 1, middle + 0.5);
    context.stroke();
  }

  #sign(context, { strike, sign }, right, middle) {
    const { theme } = this.view;
    context.fillStyle = theme[strike];
    context.font = `700 10px ${theme.font}`;
    context.textAlign = "right";
    context.fillText(sign, right, middle + 0.5);
    context.textAlign = "left";
  }

  /** A name, cut so that it fits; sets the font. */
  #fit(context, name, font, width) {
    context.font = font;
    const key = `${Math.round(width)} ${font} ${name}`;
    const known = this.fitted.get(key);
    if (known !== undefined) return known;
    let text = name;
    for (let end = name.length - 1; end > 0 && context.measureText(text).width > width; --end) {
      text = width < SLIM - 10 ? name.slice(0, end) : `${name.slice(0, end)}…`;
    }
    if (this.fitted.size > 5000) this.fitted.clear();
    this.fitted.set(key, text);
    return text;
  }

  #strip(context, person, entries, look) {
    const { theme, camera, X, Y, men } = this.view;
    const { radius, row, spacing } = camera;
    const wide = Math.max(1, Math.min(0.62 * spacing, 13));
    const { length } = entries;
    const gap = 2 * radius + 4;
    const top = person < men ? Y[person] - gap - length * row : Y[person] + gap;
    const rim = row > 5 && wide > 5 ? 1 : 0;
    // Neighbouring cells of one kind are one piece: hundreds of them would be slow.
    for (let k = 0; k < length; ) {
      const entry = entries[k];
      const from = k;
      do k += 1;
      while (!rim && k < length && entries[k] === entry && entry !== PLACE.partner);
      const tall = Math.max(entry === PLACE.partner || entry === PLACE.asked ? Math.max(3, row) : row, 0.5);
      this.#cell(context, entry, X[person] - wide / 2, top + from * row, wide, (k - from - 1) * row + tall - rim);
    }
    disc(context, X[person], Y[person] + (person < men ? -radius - 1 : radius + 1), radius, look, theme);
    if (radius < 7.5) return;
    context.font = `650 ${Math.min(10, radius)}px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = look.full ? theme.ground : theme.text;
    context.fillText(person < men ? person : person - men, X[person], Y[person] + (person < men ? -radius - 0.5 : radius + 1.5));
  }

  #cell(context, entry, x, y, width, height) {
    const { theme } = this.view;
    const paint = PAINT[entry];
    const colour = paint.fill ?? paint.line ?? paint.strike;
    context.fillStyle = colour ? theme[colour] : theme.edge;
    context.globalAlpha = paint.fill || paint.line ? 1 : paint.strike ? 0.75 : entry === PLACE.closed ? 0.16 : 0.42;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }
}

/** Which line of a list is shown first: the last place that was asked is in sight. */
function firstShown(entries, shown) {
  if (shown >= entries.length) return 0;
  let at = entries.findIndex((entry) => entry === PLACE.partner || entry === PLACE.asked);
  if (at < 0) at = entries.findLastIndex((entry) => entry !== PLACE.open && entry !== PLACE.closed);
  return Math.max(0, Math.min(entries.length - shown, at - Math.floor(shown / 2)));
}

function disc(context, x, y, radius, look, theme) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = look.full ? theme[look.colour] : theme.vertex;
  context.strokeStyle = theme[look.colour];
  context.lineWidth = radius > 3 ? 1.5 : 0.8;
  context.setLineDash(look.dashed && radius > 4 ? [3, 2] : []);
  context.fill();
  context.stroke();
  context.setLineDash([]);
}
