// The state after any number of events; the counterpart of gpucore/record/timeline.py.  It
// applies changes (field, index, old, new) and is the same for all algorithms.

export class Timeline {
  constructor(meta, arrays) {
    this.offsets = arrays["changes/offsets"];
    this.field = arrays["changes/field"];
    this.index = arrays["changes/index"];
    this.old = arrays["changes/old"];
    this.new = arrays["changes/new"];
    this.length = this.offsets.length - 1;
    this.time = 0;
    this.state = {};
    this.bits = meta.fields.map((name) => {
      const values = arrays[`state/${name}`].slice();
      this.state[name] = values;
      return new Int32Array(values.buffer);
    });
  }

  /** Moves to the state after `time` events; the cost depends on the events in between. */
  seek(time) {
    const target = Math.max(0, Math.min(this.length, Math.round(time)));
    const { bits, field, index } = this;
    const from = this.offsets[this.time];
    const to = this.offsets[target];
    for (let i = from; i < to; ++i) bits[field[i]][index[i]] = this.new[i];
    for (let i = from - 1; i >= to; --i) bits[field[i]][index[i]] = this.old[i];
    this.time = target;
  }
}
