// The explorer of events: log, filter, jumps, the current chain, and the pinned vertex.

import { ChainBar, chainOf } from "../lib/chains.js";
import { element } from "../lib/dom.js";
import { EventFilter } from "./eventfilter.js";
import { EventIndex } from "./eventindex.js";
import { EventLog } from "./eventlog.js";
import { Inspector } from "./inspector.js";
import { saveText } from "./transcript.js";
import { vertexNamed } from "../lib/words.js";

export class Explorer {
  /** `player` has meta, family, events, timeline, stage, label(), sentence(), seek(), requestFrame(). */
  constructor(player, arrays) {
    this.player = player;
    const { meta, family, events, label } = player;
    const noun = family.NOUN ?? "vertex";
    this.index = new EventIndex(events, meta.sentences);
    this.causes = family.causesOf?.(events, meta.n) ?? null;
    this.lit = true;
    const text = (event) => player.sentence(event);
    const go = (time) => player.seek(time);
    const link = (event) => family.chainText(events, event, label);
    this.chainBar = new ChainBar(family.CHAIN_NAME ?? "Chain", link, (time) => {
      player.root.focus({ preventScroll: true }); // the link that was clicked may vanish
      player.seek(time);
    });
    this.chainBar.root.hidden = !this.causes;
    this.log = new EventLog("events", this.index.length, text, go);
    this.filter = new EventFilter({
      kinds: kindsOf(events.kind, meta.kinds),
      noun,
      total: this.index.length,
      find: (name) => this.#find(name),
      changed: (choice) => this.#choose(choice),
      jump: (direction) => this.jump(direction, "chosen"),
    });
    this.details = element("details", { class: "wp-details" });
    const save = () => saveText(player.transcript(), `${meta.family}-events.txt`);
    this.filter.root.append(
      element("button", { type: "button", class: "wp-plain", onclick: save }, "Save the run as text"),
    );
    this.details.append(element("summary", {}, "Event log, and the run as text"), this.filter.root, this.log.root);
    this.details.addEventListener("toggle", () => this.log.show(player.time));
    this.filter.showCount(this.index.length);
    const history = new EventLog(`history of the ${noun}`, this.index.length, text, go);
    const acts = {
      pin: (vertex) => this.pin(vertex),
      find: (name) => this.#find(name),
      jump: (direction) => this.jump(direction, "vertex"),
      filter: (vertex) => this.#listVertex(vertex),
    };
    this.inspector = new Inspector(player, arrays, history, acts);
    this.pinned = -1;
  }

  /** Follows the clock. */
  show(time) {
    this.chain = this.causes && this.lit && time ? chainOf(this.causes, time - 1) : [];
    this.chainBar.show(this.chain);
    const steps = this.chain.length > 1 ? this.chain : [];
    this.player.stage.view.chain = steps.map((i) => this.player.family.chainLink(this.player.events, i));
    if (this.details.open) this.log.show(time);
    this.inspector.show(time);
  }

  /** Pins a vertex: its facts, neighbours and history stay visible; -1 for none. */
  pin(vertex) {
    this.pinned = vertex;
    const { player } = this;
    player.stage.view.select(vertex);
    this.inspector.pin(vertex, vertex >= 0 ? this.index.ofVertex(vertex) : null);
    this.inspector.show(player.time);
    player.requestFrame();
    globalThis.dispatchEvent(new CustomEvent("warplens:pinned", { detail: { vertex } }));
  }

  /** Pins the vertex whose event has just happened. */
  pinActor() {
    const { time } = this.player;
    const vertex = time ? this.index.about(time - 1)[0] : undefined;
    if (vertex !== undefined) this.pin(vertex);
  }

  /** Seeks the next (1) or last (-1) event "chosen" in the log, or like the current one. */
  jump(direction, what) {
    const selection = this.#selectionOf(what);
    if (selection === undefined) return;
    const time = this.index.jump(selection, this.player.time, direction);
    if (time >= 0) this.player.seek(time);
  }

  #selectionOf(what) {
    const { events, time } = this.player;
    if (what === "chosen") return this.selection ?? null;
    if (what === "vertex") return this.pinned >= 0 ? this.index.ofVertex(this.pinned) : undefined;
    if (!this.index.length) return undefined;
    const value = events[what][Math.max(0, time - 1)];
    const key = `${what} ${value}`;
    if (this.remembered?.key !== key) {
      this.remembered = { key, selection: this.index.select({ [what]: value }) };
    }
    return this.remembered.selection;
  }

  toggleChain() {
    this.lit = !this.lit;
    this.show(this.player.time);
    this.player.requestFrame();
  }

  toggleLog() {
    this.details.open = !this.details.open;
    if (this.details.open) this.details.scrollIntoView({ block: "nearest" });
  }

  #choose(choice) {
    this.selection = choice ? this.index.select(choice) : new Uint32Array(0);
    this.log.select(this.selection);
    this.filter.showCount(this.log.count);
  }

  #listVertex(vertex) {
    this.details.open = true;
    this.filter.set({ vertex: this.player.label(vertex) });
    this.details.scrollIntoView({ block: "nearest" });
  }

  #find(text) {
    return vertexNamed(this.player.meta, text);
  }
}

/** The kinds that occur, with their labels and how often. */
function kindsOf(kinds, labels) {
  const counts = new Uint32Array(256);
  for (const kind of kinds) counts[kind] += 1;
  return [...counts.keys()]
    .filter((kind) => counts[kind])
    .map((kind) => ({ kind, text: labels[kind] ?? `kind ${kind}`, count: counts[kind] }));
}
