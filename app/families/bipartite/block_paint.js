// Draws a matrix in block triangular form, layer by layer: the background of the parts, the entries
// one by one or as a raster, and the outlines of parts and blocks.

const WASH = 0.1;
const PALEST = 0.45; // of a raster's cell with a single entry
const MATCHED = 4;
const THINNEST = 1.6; // pixels of the matching among dense entries

const clampEdge = (at) => Math.round(at * 2) / 2;

/** The background of the three coarse parts. */
export function drawWash(context, { rows, columns }, place, colours) {
  context.globalAlpha = WASH;
  for (let part = 0; part < 3; ++part) {
    context.fillStyle = colours.parts[part];
    context.fillRect(...box(rows[part], columns[part], rows[part + 1], columns[part + 1], place));
  }
  context.globalAlpha = 1;
}

const box = (top, left, bottom, right, { x, y }) => [left * x, top * y, (right - left) * x, (bottom - top) * y];

/** Every entry as a rectangle of its own; `turned` says how far it has moved to the other order. */
export function drawPoints(context, cells, turned, place, colours) {
  const { row, column, rowPlace, columnPlace, kind } = cells;
  const least = 1 / place.ratio;
  const gap = (side) => (side >= 5 ? Math.max(1, side * 0.12) : 0);
  const [wide, high] = [place.x, place.y].map((side) => Math.max(least, side - gap(side)));
  const shift = [gap(place.x) / 2, gap(place.y) / 2];
  // Matched entries come last, so that they stay visible where entries are smaller than a pixel.
  for (const matched of [0, MATCHED]) {
    for (let part = 0; part < 4; ++part) {
      context.fillStyle = matched ? colours.matched : colours.parts[part];
      for (let k = 0; k < row.length; ++k) {
        if (kind[k] !== matched + part) continue;
        const x = column[k] + (columnPlace[column[k]] - column[k]) * turned;
        const y = row[k] + (rowPlace[row[k]] - row[k]) * turned;
        context.fillRect(x * place.x + shift[0], y * place.y + shift[1], wide, high);
      }
    }
  }
}

/** The density of entries; cells of the matching in its colour if `matching`. */
export function drawRaster(context, { density, kind }, grid, size, colours, matching) {
  const [high, wide] = grid;
  const image = new ImageData(wide, high);
  const inks = colours.parts.map(channels);
  for (let cell = 0; cell < density.length; ++cell) {
    if (!density[cell]) continue;
    image.data.set(inks[kind[cell] % MATCHED], 4 * cell);
    image.data[4 * cell + 3] = 255 * (PALEST + ((1 - PALEST) * density[cell]) / 255);
  }
  const raster = new OffscreenCanvas(wide, high);
  raster.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = wide > size[0] || high > size[1];
  context.drawImage(raster, 0, 0, ...size);
  if (matching) drawMatched(context, kind, grid, size, colours.matched);
}

function drawMatched(context, kind, [high, wide], size, colour) {
  const [x, y] = [size[0] / wide, size[1] / high];
  const [across, down] = [Math.max(x, THINNEST), Math.max(y, THINNEST)];
  context.fillStyle = colour;
  kind.forEach((one, cell) => {
    if (one < MATCHED) return;
    context.fillRect((cell % wide + 0.5) * x - across / 2, (Math.floor(cell / wide) + 0.5) * y - down / 2, across, down);
  });
}

/** Red, green and blue of a colour, as whole numbers. */
function channels(colour) {
  const probe = new OffscreenCanvas(1, 1).getContext("2d");
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return probe.getImageData(0, 0, 1, 1).data.slice(0, 3);
}

/** Outlines of the fine blocks and of the coarse parts. */
export function drawBlocks(context, { rows, columns, blocks }, place, colours) {
  context.lineWidth = 1;
  context.strokeStyle = colours.text;
  for (const [top, left, size] of blocks) {
    outline(context, box(top, left, top + size, left + size, place));
  }
  context.lineWidth = 2;
  for (let part = 0; part < 3; ++part) {
    context.strokeStyle = colours.parts[part];
    outline(context, box(rows[part], columns[part], rows[part + 1], columns[part + 1], place));
  }
}

function outline(context, [x, y, wide, high]) {
  if (wide <= 0 && high <= 0) return;
  const inset = context.lineWidth / 2;
  context.strokeRect(
    clampEdge(x) + inset, clampEdge(y) + inset,
    Math.max(clampEdge(wide) - 2 * inset, inset), Math.max(clampEdge(high) - 2 * inset, inset),
  );
}
