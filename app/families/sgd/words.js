// Names of ratings: letters, as in the paper.

/** a, b, ... z, aa, ab, ...: the name of a rating by its number. */
export function letterOf(rating) {
  let name = "";
  for (let left = rating; left >= 0; left = Math.floor(left / 26) - 1) {
    name = String.fromCharCode(97 + (left % 26)) + name;
  }
  return name;
}
