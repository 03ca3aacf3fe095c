// Beside a matrix: a strip of its rows at the left and one of its columns above, in their colours.

/** Pixels of a strip, and from there to the matrix. */
export const STRIP = 8;
export const GAP = 5;
const PIECE = 1.5; // pixels; several rows or columns share one where there is no room for all

/** `classes` of all vertices, rows first. */
export function drawStrips(context, sight, { rows, columns }, classes, paints) {
  const { box, first, down, across } = sight;
  const left = piecesOf(classes.subarray(0, rows), first.row, down, box.height);
  const above = piecesOf(classes.subarray(rows, rows + columns), first.column, across, box.width);
  drawPieces(left, box.height, paints, context, (at, long, thick) => {
    context.fillRect(box.left - GAP - thick, box.top + at, thick, long);
  });
  drawPieces(above, box.width, paints, context, (at, long, thick) => {
    context.fillRect(box.left + at, box.top - GAP - thick, long, thick);
  });
}

/** The looks of a strip's pieces, -1 for none; of several vertices the highest look is seen. */
function piecesOf(classes, first, shown, pixels) {
  const count = Math.max(1, Math.min(Math.ceil(shown), Math.floor(pixels / PIECE)));
  const pieces = new Int16Array(count).fill(-1);
  const end = Math.min(classes.length, Math.ceil(first + shown));
  for (let i = Math.max(0, Math.floor(first)); i < end; ++i) {
    const piece = Math.floor(((i - first) * count) / shown);
    if (piece >= 0 && piece < count && classes[i] > pieces[piece]) pieces[piece] = classes[i];
  }
  return pieces;
}

/** What is unmatched is half as thick. */
function drawPieces(pieces, pixels, paints, context, fill) {
  const size = pixels / pieces.length;
  const gap = size > 5 ? 1 : 0;
  pieces.forEach((look, i) => {
    if (look < 0) return;
    const { colour, matched } = paints[look];
    context.fillStyle = colour;
    fill(i * size, size - gap, matched ? STRIP : STRIP / 2);
  });
}
