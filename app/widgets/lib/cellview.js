// Graphs too large to draw: one cell a vertex, in the order of their numbers, row by row.

export class CellView {
  constructor(host, meta, _arrays, styles) {
    this.styles = styles;
    this.count = meta.n;
    this.selected = -1;
    this.note = "Too large to draw as nodes and edges: each cell is a vertex, row by row.";
    this.byWarp = false;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "wp-layer";
    this.canvas.setAttribute("aria-hidden", "true");
    host.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.camera = { reset() {}, pan() {}, zoomAt() {} };
  }

  resize(width, height, ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const area = this.canvas.width * this.canvas.height;
    this.cell = Math.max(1, Math.floor(Math.sqrt(area / Math.max(1, this.count))));
    this.columns = Math.max(1, Math.floor(this.canvas.width / this.cell));
    this.rows = Math.floor(this.canvas.height / this.cell);
    if (this.columns * this.rows < this.count && this.cell > 1) {
      this.cell -= 1;
      this.columns = Math.floor(this.canvas.width / this.cell);
      this.rows = Math.floor(this.canvas.height / this.cell);
    }
    this.image = this.context.createImageData(this.columns, Math.max(1, this.rows));
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.small = document.createElement("canvas");
    this.small.width = this.columns;
    this.small.height = Math.max(1, this.rows);
  }

  setTheme(theme) {
    this.theme = theme;
    this.classColours = this.styles.map(({ look, colour }) => {
      return pixelOf(look === "plain" ? theme.line : theme[colour]);
    });
    this.warpColours = theme.warps.map(pixelOf);
    this.accent = theme.accent;
    this.differing = pixelOf(theme.accent);
  }

  draw(marks) {
    if (!this.pixels || !this.classColours) return;
    const { pixels, classColours, warpColours } = this;
    const shown = Math.min(this.count, pixels.length);
    const warps = this.byWarp ? marks.warps : null;
    for (let v = 0; v < shown; ++v) {
      pixels[v] =
        warps && warps[v] >= 0
          ? warpColours[warps[v] % warpColours.length]
          : classColours[marks.classes[v]];
    }
    for (const v of marks.differing ?? []) if (v < shown) pixels[v] = this.differing;
    this.small.getContext("2d").putImageData(this.image, 0, 0);
    const { context, canvas } = this;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.small, 0, 0, this.columns * this.cell, this.small.height * this.cell);
    this.#drawSelection();
  }

  /** A ring round the selected cell, which may be a single pixel. */
  #drawSelection() {
    if (this.selected < 0) return;
    const { context, cell, columns, selected } = this;
    const x = ((selected % columns) + 0.5) * cell;
    const y = (Math.floor(selected / columns) + 0.5) * cell;
    context.beginPath();
    context.arc(x, y, 0.75 * cell + 4 * this.ratio, 0, 2 * Math.PI);
    context.lineWidth = 2.5 * this.ratio;
    context.strokeStyle = this.accent;
    context.stroke();
  }

  pick(px, py) {
    const column = Math.floor((px * this.ratio) / this.cell);
    const vertex = Math.floor((py * this.ratio) / this.cell) * this.columns + column;
    return column < this.columns && vertex < this.count ? vertex : -1;
  }

  select(vertex) {
    this.selected = vertex;
  }

  refresh() {}

  remove() {
    this.canvas.remove();
  }
}

/** A colour as one little-endian RGBA pixel, whatever the notation. */
export function pixelOf(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}
