// Events in plain words; the sentences themselves come with the message.

/** Three significant digits: 0.83, 12.5, 1230. */
export function shortNumber(value) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : String(value);
}

/** Thousands apart. */
export function grouped(value) {
  return Math.round(value).toLocaleString("en-US");
}

export function sentence(meta, events, index) {
  const template = meta.sentences[events.kind[index]];
  if (!template) return `event of kind ${events.kind[index]}`;
  const label = (vertex) => vertexLabel(meta, vertex);
  const { a, b, c, value } = events;
  const words = {
    A: meta.names ? label(a[index]) : `vertex ${a[index]}`,
    a: label(a[index]),
    b: label(b[index]),
    c: label(c[index]),
    from: String(b[index]),
    to: String(c[index]),
    value: shortNumber(value[index]),
  };
  return template.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole);
}

export function vertexLabel(meta, vertex) {
  return meta.names?.[vertex] ?? String(vertex);
}
