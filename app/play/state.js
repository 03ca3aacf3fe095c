// The state of the playground in the fragment of its address: "#play=" and compressed JSON. It never
// leaves the browser; whoever opens the address gets the same code, launch and arguments.

const KEY = "#play=";
/** Characters of a fragment, bytes that it may unpack to, and characters of the code. */
const MOST_FRAGMENT = 65_536;
const MOST_BYTES = 262_144;
export const MOST_CODE = 100_000;
const MOST_ARGUMENTS = 64;
const MOST_ARGUMENT = 32_768;

const SIZE = /^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,2}$/;
const text = (most) => (value) => typeof value === "string" && value.length <= most;
const count = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
const size = (value) => typeof value === "string" && SIZE.test(value);

/** What a state has: name, default, and whether a value is one. */
const FIELDS = {
  code: ["", text(MOST_CODE)],
  kernel: ["", text(200)],
  grid: ["2", size],
  block: ["32", size],
  shared: [0, count(0, 1 << 20)],
  args: [[], (value) => Array.isArray(value) && value.length <= MOST_ARGUMENTS && value.every(text(MOST_ARGUMENT))],
  schedules: [20, count(1, 1000)],
  seed: [0, count(0, 2 ** 31 - 1)],
  puzzle: ["", text(40)],
  tab: [0, count(0, 9)],
};

/** A whole state from the fields that are given; throws an Error with words for the reader. */
export function stateOf(given = {}) {
  const state = {};
  for (const [name, [initial, fits]] of Object.entries(FIELDS)) {
    const value = Object.hasOwn(given, name) ? given[name] : initial;
    if (!fits(value)) throw new Error(`The link's ${name} is not one that the playground takes.`);
    state[name] = value;
  }
  return state;
}

/** The fragment of a state; throws an Error if it is too long for a link. */
export async function fragmentOf(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"), Infinity);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  const fragment = KEY + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (fragment.length > MOST_FRAGMENT) throw new Error(`The code is too long for a link: it has more than ${MOST_FRAGMENT.toLocaleString("en")} characters. Save it as a file.`);
  return fragment;
}

/** The state of a fragment; null if it has none. Throws an Error with words for the reader. */
export async function stateFrom(fragment) {
  if (!fragment.startsWith(KEY)) return null;
  if (fragment.length > MOST_FRAGMENT) throw new Error("The link is too long to be one of the playground.");
  let given;
  try {
    const letters = atob(fragment.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), MOST_BYTES);
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("The link is damaged or not complete.");
  }
  if (given === null || typeof given !== "object" || Array.isArray(given)) throw new Error("The link has no code of the playground.");
  return stateOf(given);
}

/** Sends bytes through a stream; more than `most` of them are an error, however small they came. */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
    pieces.push(piece.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
