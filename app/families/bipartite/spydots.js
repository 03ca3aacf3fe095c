// Entries of a matrix as dots, those of a search's trees in its colours, matched ones as squares.

const GRID = 9; // pixels of a cell from which on there are lines between them

export class Dots {
  /** `entries`: {rows, columns}; `canvas`: one of the size of the picture. */
  constructor(sight, entries, theme, ratio, canvas) {
    this.sight = sight;
    this.entries = entries;
    this.theme = theme;
    this.still = document.createElement("canvas"); // all entries, none of them lit
    [this.still.width, this.still.height] = [canvas.width, canvas.height];
    const context = this.still.getContext("2d");
    context.scale(ratio, ratio);
    this.ratio = ratio;
    this.#drawGrid(context);
    context.fillStyle = theme["vertex-line"];
    context.globalAlpha = 0.7;
    context.beginPath();
    // The fewer there are, the larger each may be.
    this.least = Math.max(0.6, Math.min(1.4, 60 / Math.sqrt(entries.rows.length)));
    for (let e = 0; e < entries.rows.length; ++e) this.#dot(context, entries.rows[e], entries.columns[e], 0.2, this.least);
    context.fill();
  }

  /** Faint lines between rows and columns that are far enough apart. */
  #drawGrid(context) {
    const { least, box, first, across, down } = this.sight;
    if (least < GRID) return;
    context.strokeStyle = this.theme.line;
    context.globalAlpha = 0.7;
    context.lineWidth = 0.5;
    context.beginPath();
    for (let i = Math.ceil(first.column); i <= first.column + across; ++i) {
      const { x } = this.sight.at(0, i - 0.5);
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
    }
    for (let i = Math.ceil(first.row); i <= first.row + down; ++i) {
      const { y } = this.sight.at(i - 0.5, 0);
      context.moveTo(box.left, y);
      context.lineTo(box.left + box.width, y);
    }
    context.stroke();
  }

  paint(context, lit) {
    const { theme } = this;
    context.drawImage(this.still, 0, 0, this.still.width / this.ratio, this.still.height / this.ratio);
    const alike = new Map();
    lit((row, column, tint, matched) => {
      const key = 2 * tint + matched;
      if (!alike.has(key)) alike.set(key, []);
      alike.get(key).push(row, column);
    });
    for (const [key, places] of alike) {
      const [tint, matched] = [key >> 1, key % 2 === 1];
      context.fillStyle = tint ? theme[`sequence-${tint - 1}`] : theme.done;
      context.beginPath();
      for (let i = 0; i < places.length; i += 2) {
        if (matched) this.#square(context, places[i], places[i + 1]);
        else this.#dot(context, places[i], places[i + 1], 0.28, 1.4 * this.least);
      }
      context.fill();
    }
  }

  /** `share` of a cell, and no less than `least` pixels. */
  #dot(context, row, column, share, least) {
    const { sight } = this;
    const { x, y } = sight.at(row, column);
    if (!sight.hasX(x) || !sight.hasY(y)) return;
    const radius = Math.max(least, Math.min(10, share * sight.least));
    if (radius < 1.5) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }

  #square(context, row, column) {
    const { sight } = this;
    const { x, y } = sight.at(row, column);
    if (!sight.hasX(x) || !sight.hasY(y)) return;
    const side = Math.max(3.2 * this.least, 2.4, Math.min(26, 0.8 * sight.least));
    if (side < 4) context.rect(x - side / 2, y - side / 2, side, side);
    else context.roundRect(x - side / 2, y - side / 2, side, side, 0.25 * side);
  }

  has(row, column) {
    const { rows, columns } = this.entries;
    for (let e = rows.indexOf(row); rows[e] === row; ++e) if (columns[e] === column) return true;
    return false;
  }
}
