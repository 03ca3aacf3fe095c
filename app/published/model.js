// What a widget knows of its model, on a page without a page process.

export class Model {
  /** `send(message)` hears what a widget would say to its page process. */
  constructor(values, send = () => {}) {
    this.values = values;
    this.send = send;
    this.listeners = [];
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    for (const [event, call] of this.listeners) if (event === `change:${name}`) call();
  }

  on(event, call) {
    this.listeners.push([event, call]);
  }

  off(event, call) {
    this.listeners = this.listeners.filter(([other, own]) => other !== event || own !== call);
  }

  save_changes() {}
}
