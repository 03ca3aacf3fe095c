// Events in plain words; the sentences themselves come with the message, and
// gpucore/record/words.py fills in the same.

/** A number with some significant digits, three if nothing is said: 0.83, 12.5, 1230. */
export function shortNumber(value, digits = 3) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
}

/** Thousands apart. */
export function grouped(value) {
  return Math.round(value).toLocaleString("en-US");
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
