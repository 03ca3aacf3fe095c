// Moves marks in Bokeh charts without a word to the kernel.
//
// Under jupyter_bokeh every property that a browser sets travels to the kernel.  Changing the
// numbers inside of a data source and emitting its signal does not.

export class ChartCursors {
  /** `cursors`: [{name, columns: {column: quantity}}]; name is that of a ColumnDataSource. */
  constructor(cursors) {
    this.cursors = cursors ?? [];
    this.last = new Map();
  }

  /** `quantities`: {quantity: number}; null or undefined leave a column as it is. */
  move(quantities) {
    if (!this.cursors.length || !globalThis.Bokeh?.documents) return;
    for (const { name, columns } of this.cursors) {
      const values = Object.entries(columns).map(([column, q]) => [column, quantities[q]]);
      const key = values.map(([, value]) => value).join(" ");
      const sources = findModels(name);
      if (this.last.get(name) === `${sources.length} ${key}`) continue;
      for (const source of sources) setColumns(source, values);
      this.last.set(name, `${sources.length} ${key}`);
    }
  }
}

function findModels(name) {
  return globalThis.Bokeh.documents
    .map((document) => document.get_model_by_name(name))
    .filter((model) => model?.data);
}

function setColumns(source, values) {
  let changed = false;
  for (const [column, value] of values) {
    const data = source.data[column];
    if (!data || value === null || value === undefined) continue;
    for (let i = 0; i < data.length; ++i) {
      changed ||= data[i] !== value;
      data[i] = value;
    }
  }
  if (changed) source.change.emit();
}
