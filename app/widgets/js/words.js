// Events in plain words; the sentences themselves come with the message, and
// gpucore/record/words.py fills in the same.

/** A number with some significant digits, three if nothing is said: 0.83, 12.5, 1230, 8.54 × 10⁹. */
export function shortNumber(value, digits = 3) {
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(digits));
  if (rounded === 0 || (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e6)) return String(rounded);
  const [mantissa, power] = rounded.toExponential(digits - 1).split("e");
  return `${Number(mantissa)} × 10${[...String(Number(power))].map((sign) => RAISED[sign]).join("")}`;
}

const RAISED = Object.fromEntries([..."-0123456789"].map((sign, i) => [sign, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][i]]));

const THOUSANDS = new Intl.NumberFormat("en-US"); // made once: making one takes long

/** Thousands apart. */
export function grouped(value) {
  return THOUSANDS.format(Math.round(value));
}

/** A time in µs in the unit that suits it, or a number of steps. */
export function duration(value, unit) {
  if (unit !== "µs") return `${grouped(value)} ${unit}`;
  if (value < 1) return `${grouped(value * 1000)} ns`;
  if (value < 1000) return `${shortNumber(value)} µs`;
  return value < 1e6 ? `${shortNumber(value / 1000)} ms` : `${shortNumber(value / 1e6)} s`;
}

/** "{a}" is a vertex, at the beginning with its noun; "{a#}" a bare number. */
export function sentence(meta, events, index) {
  const template = meta.sentences[events.kind[index]];
  if (!template) return `event of kind ${events.kind[index]}`;
  return template.replace(/\{(\w+)(#?)\}/g, (whole, name, bare, at) => {
    const value = events[name]?.[index];
    if (value === undefined) return whole;
    if (name === "value") return shortNumber(value);
    if (bare) return String(value);
    const noun = at === 0 && !meta.names ? "vertex " : "";
    return noun + vertexLabel(meta, value);
  });
}

export function vertexLabel(meta, vertex) {
  return meta.names?.[vertex] ?? String(vertex);
}
