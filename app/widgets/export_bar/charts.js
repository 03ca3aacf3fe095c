// The charts of the page for a file: the numbers that a plot draws, and the plot as SVG by Bokeh itself.

const SIZE = "position: absolute; left: -99999px; top: 0; width: 760px; height: 380px";

/** Plots of this page with their headings, in the order of the page. */
export function chartsOf(page) {
  const plots = [...(globalThis.Bokeh?.index.roots ?? [])].filter(({ el, model }) => model.type === "Figure" && page.contains(el));
  plots.sort((one, other) => (one.el.compareDocumentPosition(other.el) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return plots.map(({ el, model }) => {
    return { title: headingOf(el)?.textContent.trim() || "Chart", model };
  });
}

/** The heading of the smallest box around a plot that has one. */
function headingOf(node) {
  const card = node.closest(".ws-card");
  for (let box = node; card && box !== card; box = box.parentElement) {
    const found = box.querySelector("h3, h4");
    if (found) return found;
  }
  return card?.querySelector("h3");
}

/** What a plot draws as comma-separated values: a block of columns for each kind of mark. The places of
 *  the replay's cursor have a name and are no data. */
export function chartTable({ renderers, left, below }) {
  const labels = [left, below].map(([axis]) => axis?.axis_label ?? "");
  const drawn = renderers.filter(({ visible, data_source: source }) => visible && source && !source.name);
  const blocks = drawn.map(({ glyph, data_source: { data } }) => {
    const columns = [...(data instanceof Map ? data : Object.entries(data))].filter(([, values]) => values?.length);
    if (glyph.type === "Image") return cells(columns.find(([name]) => name === "image")?.[1][0], labels);
    const length = Math.max(0, ...columns.map(([, values]) => values.length));
    const rows = Array.from({ length }, (_, row) => columns.map(([, values]) => field(values[row])).join(","));
    return [columns.map(([name]) => field(name)).join(","), ...rows].join("\n");
  });
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

/** The cells of a map, a line a row, with the numbers of columns above and of rows before them. */
function cells(image, [rowLabel, columnLabel]) {
  if (!image) return "";
  const [rows, columns] = image.shape ?? [image.length, image[0].length];
  const at = (row, column) => (image.shape ? image[row * columns + column] : image[row][column]);
  const list = (many, of) => Array.from({ length: many }, (_, one) => of(one)).join(",");
  const head = `${field(`${rowLabel} / ${columnLabel}`)},${list(columns, String)}`;
  const lines = Array.from({ length: rows }, (_, row) => `${row},${list(columns, (column) => field(at(row, column)))}`);
  return [head, ...lines].join("\n");
}

function field(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A plot as an SVG file. It is drawn once more, out of sight: one behind a tab has no size. */
export async function chartVectors(model) {
  const { Bokeh } = globalThis;
  const host = document.createElement("div");
  host.style.cssText = SIZE;
  document.body.append(host);
  const known = new Set(Bokeh.documents);
  try {
    await Bokeh.embed.embed_item({ doc: model.document.to_json(), root_id: model.id, target_id: "" }, host);
    const view = [...Bokeh.index.roots].find(({ el, model: { type } }) => type === "Figure" && host.contains(el));
    return await view.export("svg", true).to_blob();
  } finally {
    for (const made of Bokeh.documents.filter((one) => !known.has(one))) made.clear();
    for (let i = Bokeh.documents.length - 1; i >= 0; --i) if (!known.has(Bokeh.documents[i])) Bokeh.documents.splice(i, 1);
    host.remove();
  }
}
