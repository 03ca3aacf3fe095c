// The visible part of a matrix, and its place: as many rows and columns as fit, with one zoom.

const MARGIN = { left: 46, right: 24, top: 84, bottom: 20 };
const MAX_ZOOM = 60;
const NARROWEST = 0.3; // of the room: a matrix much longer than wide is stretched so far

export class MatrixCamera {
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.width = this.height = 1;
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.first = { row: 0, column: 0 };
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.sight = this.#see();
  }

  refresh() {
    this.sight = this.#see();
  }

  #see() {
    const rows = Math.max(1, this.rows);
    const columns = Math.max(1, this.columns);
    const room = {
      width: Math.max(40, this.width - MARGIN.left - MARGIN.right),
      height: Math.max(40, this.height - MARGIN.top - MARGIN.bottom),
    };
    const scale = Math.min(room.width / columns, room.height / rows);
    const width = Math.max(scale * columns, NARROWEST * room.width);
    const height = Math.max(scale * rows, NARROWEST * room.height);
    const left = MARGIN.left + (room.width - width) / 2;
    const top = MARGIN.top + (room.height - height) / 2;
    return new Sight({ left, top, width, height }, { ...this.first }, rows / this.zoom, columns / this.zoom);
  }

  pan(dx, dy) {
    const { box, down, across } = this.sight;
    this.#moveTo(this.first.row - (dy / box.height) * down, this.first.column - (dx / box.width) * across);
  }

  /** Zooms so that the entry under the pixel (px, py) stays there. */
  zoomAt(factor, px, py) {
    const { box, down, across } = this.sight;
    const part = { row: (py - box.top) / box.height, column: (px - box.left) / box.width };
    const before = this.zoom;
    this.zoom = Math.max(1, Math.min(MAX_ZOOM, this.zoom * factor));
    const less = 1 - before / this.zoom;
    this.#moveTo(this.first.row + part.row * down * less, this.first.column + part.column * across * less);
  }

  #moveTo(row, column) {
    const within = (value, count) => Math.max(0, Math.min(count - count / this.zoom, value));
    this.first = { row: within(row, this.rows), column: within(column, this.columns) };
    this.refresh();
  }
}

/** `down` rows and `across` columns, the first of them at the corner of a box of pixels. */
class Sight {
  constructor(box, first, down, across) {
    Object.assign(this, { box, first, down, across });
    this.cell = { width: box.width / across, height: box.height / down };
    this.least = Math.min(this.cell.width, this.cell.height);
  }

  /** The middle of an entry, in pixels. */
  at(row, column) {
    const { box, cell, first } = this;
    return {
      x: box.left + (column + 0.5 - first.column) * cell.width,
      y: box.top + (row + 0.5 - first.row) * cell.height,
    };
  }

  hasX(x) {
    return x >= this.box.left && x <= this.box.left + this.box.width;
  }

  hasY(y) {
    return y >= this.box.top && y <= this.box.top + this.box.height;
  }

  /** The row and the column at a pixel, which may lie outside. */
  under(x, y) {
    const { box, cell, first } = this;
    return {
      row: Math.floor((y - box.top) / cell.height + first.row),
      column: Math.floor((x - box.left) / cell.width + first.column),
    };
  }
}
