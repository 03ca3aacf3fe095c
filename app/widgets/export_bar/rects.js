// The pixels of a picture as rectangles of SVG: a block of a matrix is a pixel of its own.

/** More rectangles than this make a file that nothing opens; the picture stays an image. */
const MOST = 20_000;

const byte = (pixel, place) => (pixel >>> (8 * place)) & 255;
const hex = (number) => number.toString(16).padStart(2, "0");

/** Elements that show the same as an ImageData whose corner is at a place; null for too many. */
export function rectsOf({ data, width, height }, left, top) {
  const pixels = new Uint32Array(data.buffer);
  const alike = new Map(); // of each colour, the equal neighbours in a row as one rectangle
  let count = 0;
  for (let y = 0; y < height; ++y) {
    const row = y * width;
    for (let x = 0, end = 0; x < width; x = end) {
      const pixel = pixels[row + x];
      for (end = x + 1; end < width && pixels[row + end] === pixel; ) ++end;
      if (!byte(pixel, 3)) continue;
      if (++count > MOST) return null;
      if (!alike.has(pixel)) alike.set(pixel, []);
      alike.get(pixel).push(`M${left + x} ${top + y}h${end - x}v1h${x - end}z`);
    }
  }
  return [...alike].map(([pixel, rects]) => {
    const colour = [0, 1, 2].map((place) => hex(byte(pixel, place))).join("");
    const opacity = byte(pixel, 3) < 255 ? ` fill-opacity="${(byte(pixel, 3) / 255).toFixed(3)}"` : "";
    return `<path d="${rects.join("")}" fill="#${colour}"${opacity} shape-rendering="crispEdges"/>`;
  });
}
