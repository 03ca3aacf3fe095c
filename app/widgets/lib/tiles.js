// Which parts of a canvas have to be redrawn, in square tiles.

const SIDE = 16; // device pixels
const PIECES = 64; // of a line at most: longer ones mark more than they need

export class Tiles {
  /** A canvas of so many device pixels, `ratio` of which make one of the page's. */
  constructor(width, height, ratio) {
    this.scale = ratio / SIDE;
    this.columns = Math.max(1, Math.ceil(width / SIDE));
    this.rows = Math.max(1, Math.ceil(height / SIDE));
    this.marked = new Uint8Array(this.columns * this.rows);
    this.count = 0;
  }

  get all() {
    return this.count === this.marked.length;
  }

  /** The part of the canvas that is marked, 0 to 1. */
  get share() {
    return this.count / this.marked.length;
  }

  clear() {
    if (this.count) this.marked.fill(0);
    this.count = 0;
  }

  markAll() {
    this.marked.fill(1);
    this.count = this.marked.length;
  }

  /** Marks the tiles of a line that is `pad` wide on either side; positions in the page's pixels. */
  mark(ax, ay, bx, by, pad) {
    this.#walk(ax, ay, bx, by, pad, true);
  }

  /** Whether such a line reaches a tile that is marked. */
  touches(ax, ay, bx, by, pad) {
    return this.#walk(ax, ay, bx, by, pad, false);
  }

  /** Visits the boxes of a line's pieces; a piece is about as long as a tile. */
  #walk(ax, ay, bx, by, pad, marking) {
    const { scale, columns, rows, marked } = this;
    const length = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) * scale;
    const pieces = Math.min(PIECES, 1 + Math.floor(length));
    const dx = (bx - ax) / pieces;
    const dy = (by - ay) / pieces;
    for (let i = 0; i < pieces; ++i) {
      const x = ax + dx * i;
      const y = ay + dy * i;
      const left = Math.max(0, Math.floor((Math.min(x, x + dx) - pad) * scale));
      const right = Math.min(columns - 1, Math.floor((Math.max(x, x + dx) + pad) * scale));
      const top = Math.max(0, Math.floor((Math.min(y, y + dy) - pad) * scale));
      const bottom = Math.min(rows - 1, Math.floor((Math.max(y, y + dy) + pad) * scale));
      for (let row = top; row <= bottom; ++row) {
        for (let at = row * columns + left; at <= row * columns + right; ++at) {
          if (marking) {
            this.count += 1 - marked[at];
            marked[at] = 1;
          } else if (marked[at]) return true;
        }
      }
    }
    return false;
  }

  /** Lets a context draw in the marked tiles only; it must count in device pixels. */
  clip(context) {
    const { columns, rows, marked } = this;
    context.beginPath();
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) {
        const first = column;
        while (column < columns && marked[row * columns + column]) column += 1;
        if (column > first) context.rect(first * SIDE, row * SIDE, (column - first) * SIDE, SIDE);
      }
    }
    context.clip();
  }
}
