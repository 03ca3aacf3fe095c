// Moves marks in Bokeh charts without a message to the page process.
//
// Under jupyter_bokeh every property that a browser sets is sent to the page process.  Changing the
// numbers inside of a data source and emitting its signal is not.

const SEARCH_EVERY = 500; // milliseconds; charts come and go, but searching them takes time

export class ChartCursors {
  /** `cursors`: [{name, columns: {column: quantity}}]; name is that of a ColumnDataSource. */
  constructor(cursors) {
    this.cursors = cursors ?? [];
    this.sources = new Map();
    this.searchedAt = -Infinity;
    // Charts that are drawn while the replay rests have to be updated, too.
    this.timer = this.cursors.length ? setInterval(() => this.#write(), SEARCH_EVERY) : 0;
  }

  /** `quantities`: {quantity: number}; NaN hides a mark. */
  move(quantities) {
    this.quantities = quantities;
    this.#write();
  }

  #write() {
    if (!this.quantities || !globalThis.Bokeh?.documents) return;
    const now = performance.now();
    if (now - this.searchedAt > SEARCH_EVERY) this.#search(now);
    for (const { name, columns } of this.cursors) {
      for (const source of this.sources.get(name)) setColumns(source, columns, this.quantities);
    }
  }

  #search(now) {
    this.searchedAt = now;
    for (const { name } of this.cursors) this.sources.set(name, findModels(name));
  }

  remove() {
    clearInterval(this.timer);
  }
}

function findModels(name) {
  return globalThis.Bokeh.documents
    .map((document) => document.get_model_by_name(name))
    .filter((model) => model?.data);
}

function setColumns(source, columns, quantities) {
  let changed = false;
  for (const [column, quantity] of Object.entries(columns)) {
    const data = source.data[column] ?? [];
    const value = quantities[quantity];
    for (let i = 0; i < data.length; ++i) {
      changed ||= !Object.is(data[i], value);
      data[i] = value;
    }
  }
  if (changed) source.change.emit();
}
