// Several replays of one graph on one clock; vertices whose states differ between the replays have a
// halo.  All of it runs in the browser.

import { Clock } from "./clock.js";
import { element, isCalm, setText } from "../lib/dom.js";
import { onPageKeys } from "../player/keys.js";
import { PlayerView } from "../player/player_view.js";
import { Transport, actOnKey } from "./transport.js";
import { decodeMessage } from "../lib/wire.js";
import { duration, grouped, plural } from "../lib/words.js";

export function render(given) {
  return renderAs(SideBySide, given);
}

/** `Kind`: SideBySide or a class derived from it. */
export function renderAs(Kind, { model, el }) {
  let view = null;
  const rebuild = () => {
    view?.remove();
    view = null;
    const payload = model.get("payload");
    if (!payload || !payload.byteLength) {
      el.replaceChildren(element("p", { class: "wp-empty" }, model.get("placeholder") ?? ""));
      return;
    }
    view = new Kind(el, payload);
    view.onEnd = () => {
      if (model.get("ended") !== false) return; // known already, or of no interest
      model.set("ended", true);
      model.save_changes();
    };
    globalThis.__warplens ??= { players: [] };
    globalThis.__warplens.together = view;
    if (model.get("plays") && !isCalm() && !location.search) view.clock.toggle();
  };
  model.on("change:payload", rebuild);
  rebuild();
  return () => {
    model.off("change:payload", rebuild);
    view?.remove();
  };
}

export class SideBySide {
  constructor(host, message) {
    const { meta, arrays } = decodeMessage(message);
    this.meta = meta;
    this.arrays = arrays;
    this.differing = [];
    this.clock = new Clock(this.#tables(meta.alignments[0][0]), () => this.#moved());
    this.how = meta.alignments[0][0];
    this.transport = new Transport(
      this.clock,
      meta.alignments,
      (how) => this.align(how),
      () => this.#moment(),
    );
    this.words = element("p", { class: "sbs-words", "aria-live": "polite" });
    this.panes = element("div", { class: "sbs-panes", "data-runs": meta.titles.length });
    this.root = element(
      "section",
      { class: this.clock.length ? "wp sbs" : "wp sbs sbs-still", "aria-label": "runs side by side" },
      this.transport.root,
      this.words,
      this.panes,
    );
    // In the capturing phase: a key pressed in one run moves all of them.
    this.root.addEventListener("keydown", (event) => actOnKey(event, this.clock), true);
    this.unlisten = onPageKeys(() => this.root, (event) => actOnKey(event, this.clock));
    host.replaceChildren(this.root);
    this.views = [];
    meta.titles.forEach((title, k) => this.#addPane(title, k));
    const [first, ...others] = this.views;
    for (const { family, marks } of others) family.align?.(marks, first.marks);
    this.#oneScale();
    for (const view of this.views) view.seek(view.time);
    this.ready = true;
    this.#moved();
  }

  #tables(how) {
    return this.meta.titles.map((_, k) => this.arrays[`clock/${how}/${k}`]);
  }

  #addPane(title, k) {
    const host = element("div", { class: "sbs-player" });
    const name = element("h3", {}, title);
    const pane = element("article", { class: "sbs-pane" }, name, host);
    this.panes.append(pane);
    const moved = ({ event }) => this.#follow(k, event);
    const view = new PlayerView(host, this.arrays[`run/${k}`], { moved });
    view.root.setAttribute("aria-label", `replay of ${title}`); // two runs of one graph differ in it
    this.views.push(view);
    if (view.axis?.unit) name.append(element("span", { class: "sbs-time" }, view.axis.timeText(view.axis.rows.span)));
  }

  /** The axes of runs whose clocks count the same end at the same time. */
  #oneScale() {
    const axes = this.views.map(({ axis }) => axis).filter(Boolean);
    if (new Set(axes.map(({ unit }) => unit)).size !== 1) return;
    const span = Math.max(...axes.map(({ folds }) => folds.span), 1);
    for (const axis of axes) {
      axis.setSpan(span);
      axis.onFold = (folded) => {
        for (const one of axes) one.fold(folded);
        this.#oneScale();
      };
    }
  }

  /** One run was moved by its own bar: the others follow. */
  #follow(k, event) {
    if (!this.ready || event === this.clock.time(k)) return;
    this.clock.playing = false;
    this.clock.moveTo(this.clock.positionOf(k, event));
  }

  /** Aligns the runs in another way; the first run stays where it is. */
  align(how) {
    const event = this.clock.time(0);
    this.how = how;
    this.clock.playing = false;
    this.clock.setTables(this.#tables(how));
    this.clock.moveTo(this.clock.positionOf(0, event));
  }

  /** The time of the runs' own clocks, if they all have one unit. */
  #moment() {
    const { span } = this.meta;
    if (this.how !== "time" || !span || !this.clock.length) return "";
    const now = (span.length * this.clock.position) / this.clock.length;
    return `clock ${duration(now, span.unit)} of ${duration(span.length, span.unit)}`;
  }

  #moved() {
    if (!this.ready) return;
    this.views.forEach((view, k) => {
      if (view.time !== this.clock.time(k)) view.seek(this.clock.time(k));
    });
    this.mark();
    this.transport.show();
    const { length, position, playing } = this.clock;
    if (length && position === length) this.onEnd?.();
    if (playing) this.#requestFrame();
  }

  /** Shows the sentence about all runs. */
  mark() {
    const states = this.views.map(({ family, timeline: { state }, marks }) => family.comparable?.(state, marks) ?? state);
    this.differing = differing(states, this.meta.compared, this.meta.n);
    for (const view of this.views) {
      view.marks.differing = this.differing;
      view.requestFrame();
    }
    setText(this.words, this.#sentence());
  }

  #sentence() {
    const [n, runs] = [this.meta.n, this.views.length];
    const others = this.differing.length;
    if (!this.clock.length) return "";
    if (runs < 2) return "Only this run has a record to play; the measures below are those of all runs.";
    const many = plural(this.views[0].family.NOUN ?? "vertex");
    const all = runs === 2 ? "both" : `all ${runs}`;
    if (others) {
      const vertices = `${grouped(others)} of ${grouped(n)} ${many}`;
      return `Here ${vertices} ${others === 1 ? "is" : "are"} not in the same state in ${all} runs; `
        + `${others === 1 ? "it has" : "they have"} a halo.`;
    }
    const where = this.clock.position === this.clock.length ? "At the end" : "Here";
    return `${where} all ${grouped(n)} ${many} are in the same state in ${all} runs.`;
  }

  #requestFrame() {
    this.wanted ??= requestAnimationFrame((now) => {
      this.wanted = undefined;
      if (!this.root.isConnected) return;
      const seconds = Math.min(0.1, (now - (this.lastFrame ?? now)) / 1000);
      this.lastFrame = now;
      this.clock.advance(seconds);
      if (this.clock.playing) this.#requestFrame();
      else this.lastFrame = undefined;
      this.transport.show();
    });
  }

  remove() {
    this.clock.playing = false;
    if (this.wanted !== undefined) cancelAnimationFrame(this.wanted);
    this.unlisten();
    for (const view of this.views) view.remove();
    this.root.remove();
  }
}

/** Vertices for which any of `fields` is not the same in all `states`. */
export function differing(states, fields, n) {
  const [first, ...others] = states;
  const found = [];
  for (let v = 0; v < n; ++v) {
    if (others.some((other) => fields.some((name) => other[name][v] !== first[name][v]))) found.push(v);
  }
  return found;
}
