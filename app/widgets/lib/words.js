// Sentences of events. The templates come with the message; gpucore/record/words.py fills them in
// the same way.

/** A number with some significant digits, three by default: 0.83, 12.5, 1230, 8.54 × 10⁹. */
export function shortNumber(value, digits = 3) {
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(digits));
  if (rounded === 0 || (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e6)) return String(rounded);
  const [mantissa, power] = rounded.toExponential(digits - 1).split("e");
  return `${Number(mantissa)} × 10${[...String(Number(power))].map((sign) => RAISED[sign]).join("")}`;
}

const RAISED = Object.fromEntries([..."-0123456789"].map((sign, i) => [sign, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][i]]));

const THOUSANDS = new Intl.NumberFormat("en-US"); // made once: the constructor is slow

/** A number with separated thousands. */
export function grouped(value) {
  return THOUSANDS.format(Math.round(value));
}

/** A number of things: "1 edge", "1,234 vertices". */
export function counted(value, noun) {
  return `${grouped(value)} ${value === 1 ? noun : plural(noun)}`;
}

/** The plural of one of our nouns. */
export function plural(noun) {
  const regular = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return { vertex: "vertices", person: "people" }[noun] ?? regular;
}

/** A time, given in µs, in a suitable unit; or a number of steps. */
export function duration(value, unit) {
  if (unit !== "µs") return `${grouped(value)} ${unit}`;
  if (value < 1) return `${grouped(value * 1000)} ns`;
  if (value < 1000) return `${shortNumber(value)} µs`;
  return value < 1e6 ? `${shortNumber(value / 1000)} ms` : `${shortNumber(value / 1e6)} s`;
}

const BLANK = /\{(\w+)(#?)\}/g;
const CHOICE = /\[(\w+)(?:=(\d+))?\|([^|\]]*)\|([^|\]]*)\]/g;

/** "{a}" is a vertex, at the beginning with its noun; "{a#}" a bare number; "[c|this|that]" is
 *  "this" where c is no less than 0, and "[c=1|this|that]" where c is 1; "{value#}" and "{batch#}"
 *  are whole numbers. */
export function sentence(meta, events, index) {
  return templateOf(meta, events, index).replace(BLANK, (whole, name, bare, at) => {
    const value = events[name]?.[index];
    if (value === undefined) return whole;
    if (bare) return String(Math.trunc(value));
    if (name === "value") return shortNumber(value);
    const noun = at === 0 && !meta.names && meta.rows === undefined ? `${nounOf(meta)} ` : "";
    return noun + calledInSentences(meta, value);
  });
}

/** The sentence where it stands by itself: it begins with a capital letter, unless it begins with a
 *  name or a sign, which stay as they are: α is another one than A. */
export function caption(meta, events, index) {
  const text = sentence(meta, events, index);
  const begins = /^\{[abc]\}/.test(templateOf(meta, events, index));
  const signs = meta.rows !== undefined && (meta.sides ?? ["r", "c"]).every((side) => side.length === 1);
  return begins && (meta.names || signs) ? text : capitalised(text);
}

/** With a capital letter. Only for words of our own, never for names. */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The template of an event, with its choices made. */
function templateOf(meta, events, index) {
  const template = meta.sentences[events.kind[index]] ?? `event of kind ${events.kind[index]}`;
  return template.replace(CHOICE, (whole, name, wanted, here, there) => {
    const value = events[name]?.[index];
    return (wanted === undefined ? value >= 0 : (value ?? 0) === Number(wanted)) ? here : there;
  });
}

/** Sentences have a matrix's nouns themselves: "row r7", "column c12"; other sides bring theirs. */
function calledInSentences({ names, rows, sides = ["r", "c"] }, vertex) {
  if (names || rows === undefined) return names?.[vertex] ?? String(vertex);
  return vertex < rows ? `${sides[0]}${vertex}` : `${sides[1]}${vertex - rows}`;
}

/** The noun of a vertex of a problem without sides; data of earlier versions has none. */
function nounOf({ noun = "vertex" }) {
  return noun;
}

/** The nouns of the two sides: those of the family, or its words for the sides. */
function nounsOf({ sides, nouns = ["row", "column"] }) {
  const named = sides?.every((side) => side.length > 1);
  return named ? sides.map((side) => side.trim()) : nouns;
}

/** A vertex's name; without one its number, of a matrix among the rows or the columns. */
export function vertexLabel(meta, vertex) {
  if (meta.names) return meta.names[vertex] ?? String(vertex);
  if (meta.rows === undefined) return String(vertex);
  const [first, second] = nounsOf(meta);
  return vertex < meta.rows ? `${first} ${vertex}` : `${second} ${vertex - meta.rows}`;
}

/** The same with its noun, where the text does not name it otherwise. */
export function vertexTitle(meta, vertex) {
  if (meta.names && meta.rows !== undefined) {
    return `${vertexLabel(meta, vertex)} (${vertexLabel({ ...meta, names: null }, vertex)})`;
  }
  if (meta.names || meta.rows !== undefined) return vertexLabel(meta, vertex);
  return `${nounOf(meta)} ${vertex}`;
}

/** The vertex of a name or number, "r7" and "column 12" among them; -1 if there is none. */
export function vertexNamed(meta, text) {
  const { names, rows, n } = meta;
  const wanted = text.toLowerCase();
  const found = names ? names.findIndex((name) => name.toLowerCase() === wanted) : -1;
  if (found >= 0) return found;
  const [, side, digits] = /^(?:([a-z]+) ?)?(\d+)$/.exec(wanted) ?? [];
  if (digits === undefined || (side && rows === undefined)) return -1;
  const named = nounsOf(meta).map((noun, i) => [noun, noun[0], meta.sides?.[i]]);
  const [isRow, isColumn] = named.map((words) => side !== undefined && words.includes(side));
  if (side && !isRow && !isColumn) return -1;
  const number = Number(digits) + (isColumn ? rows : 0);
  return number < (isRow ? rows : n) ? number : -1;
}
