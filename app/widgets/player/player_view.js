// The player: connects its parts and advances the clock.
//
// A family's module exports what app/picture.py says; see player.js in the folders of app/families.

import { Budget } from "./budget.js";
import { Controls } from "./controls.js";
import { ChartCursors } from "./cursors.js";
import { element, isCalm, setText } from "../lib/dom.js";
import { Effects } from "./effects.js";
import { Explorer } from "./explorer.js";
import { familyOf } from "warplens/families.js";
import { KeyHelp, actOnKey } from "./keys.js";
import { Playback } from "./playback.js";
import { Scrubber } from "./scrubber.js";
import { Stage } from "./stage.js";
import { followTheme } from "../lib/theme.js";
import { Timeline } from "./timeline.js";
import { WarpAxis } from "../axis/axis.js";
import { transcriptOf } from "./transcript.js";
import { decodeMessage } from "../lib/wire.js";
import { caption, duration, shortNumber, vertexLabel, vertexTitle } from "../lib/words.js";

const SPEAK_EVERY = 1500; // milliseconds between announcements while playing
/** What a record's clock counts, by its unit. */
const CLOCKS = {
  ns: "Clock: nanoseconds on the GPU since the run began; writing the record is part of them.",
  steps:
    "Clock: work of the host executor since the run began: turns of lanes, changes between lanes and "
    + "atomic operations. It gives the order of the work, not how long a GPU would take.",
};

export class PlayerView {
  constructor(host, message, options) {
    const { meta, arrays } = decodeMessage(message);
    this.meta = meta;
    this.options = options;
    this.family = familyOf(meta.family);
    this.events = eventsOf(arrays);
    this.objective = arrays["series/objective"];
    this.clock = arrays["series/time"]; // records had no times at first
    this.timeline = new Timeline(meta, arrays);
    this.marks = { classes: new Uint8Array(meta.n), warps: this.timeline.state.warp };
    this.family.prepare?.(this.marks, this.timeline, meta, this.events, arrays);
    this.effects = new Effects((event) => this.family.effectsOf(this.events, event));
    const moved = (time, before) => this.#moved(time, before);
    this.playback = new Playback(this.timeline.length, this.events.iteration, moved, this.#details());
    this.reached = runningMaximum(this.events.iteration);
    this.frames = 0;
    this.budget = new Budget();
    this.#build(host, arrays);
    this.#show();
  }

  get time() {
    return this.timeline.time;
  }

  /** Marks the events that are details, or returns null if there are none. */
  #details() {
    const kinds = this.family.DETAILS?.kinds ?? [];
    const fine = Uint8Array.from(this.events.kind, (kind) => kinds.includes(kind));
    return fine.includes(1) ? fine : null;
  }

  seek(time) {
    this.playback.pause();
    this.playback.moveTo(time);
    this.requestFrame();
  }

  play() {
    this.playback.play();
    this.requestFrame();
  }

  #build(host, arrays) {
    const { meta, playback } = this;
    const redraw = () => this.requestFrame();
    const label = (this.label = (vertex) => vertexLabel(meta, vertex));
    const facts = (vertex) => [
      vertexTitle(meta, vertex),
      ...this.family.factsOf(this.timeline.state, vertex, label, shortNumber, this.marks),
    ];
    const { STYLES, View, legend } = this.family;
    const shown = legend(new Set(this.events.kind), meta);
    const pictures = this.family.picturesOf?.(meta, arrays);
    const pin = (vertex) => this.explorer.pin(vertex);
    this.stage = new Stage(meta, arrays, { styles: STYLES, legend: shown, facts, redraw, pin, picture: View, pictures });
    this.explorer = new Explorer(this, arrays);
    const { events, clock } = this;
    const sentence = (event) => this.sentence(event);
    const seek = (time) => this.seek(time);
    this.axis = meta.axis ? new WarpAxis({ meta, arrays, events, clock }, { seek, sentence }) : null;
    this.help = new KeyHelp(meta.turn);
    this.scrubber = new Scrubber(
      playback.length,
      this.events.kind,
      playback.stops,
      meta.bands,
      (time) => this.seek(time),
      meta.turn,
    );
    this.controls = new Controls(
      playback,
      () => {
        this.#show();
        this.requestFrame();
      },
      this.marks.warps && ((byWarp) => this.stage.setByWarp(byWarp)),
      this.help.button,
      meta.turn,
      this.family.DETAILS?.text,
    );
    this.now = element("p", { class: "wp-now" });
    this.spoken = element("p", { class: "wp-spoken", "aria-live": "polite" });
    const { chainBar, details, inspector } = this.explorer;
    const words = element("div", { class: "wp-words" }, ...(this.axis?.words ?? []), this.scrubber.key);
    const playable = [this.scrubber.root, this.controls.root, words, chainBar.root];
    this.root = element(
      "section",
      { class: "wp", tabindex: 0, "aria-label": `replay of ${meta.title}`, onkeydown: (event) => this.onKey(event) },
      ...(meta.doubt ? [element("p", { class: "wp-doubt" }, `Not exact: ${meta.doubt}.`)] : []),
      this.stage.root,
      this.stage.legend,
      ...(playback.length ? [this.now] : []),
      ...(this.axis ? [this.axis.root] : []),
      ...(playback.length ? playable : []),
      inspector.root,
      ...(playback.length ? [details, this.spoken] : []),
      this.help.root,
    );
    // How high the picture is depends on it.
    if (this.axis) this.root.style.setProperty("--wx", `${this.axis.high}px`);
    host.replaceChildren(this.root);
    this.#watch();
  }

  onKey(event) {
    if (!actOnKey(event, this)) return;
    this.#show();
    this.requestFrame();
  }

  #watch() {
    this.unfollowTheme = followTheme(this.root, this.family.COLOURS, (theme) => {
      this.theme = theme;
      this.stage.view.setTheme(theme);
      this.scrubber.setTheme(theme);
      this.axis?.setTheme(theme);
      this.requestFrame();
    });
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.stage.root);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.stage.root;
    if (!clientWidth || !clientHeight) return;
    const { ratio } = this.budget;
    this.stage.resize(ratio);
    this.scrubber.resize(this.scrubber.root.clientWidth, ratio);
    this.axis?.resize(ratio);
    this.explorer.inspector.near?.resize(ratio);
    this.#draw(performance.now());
  }

  /** The clock has moved: updates the state, and starts the effects of the new events. */
  #moved(time, before) {
    this.timeline.seek(time);
    const inOrder = time > before && (this.playback.playing || time === before + 1);
    const interval = this.playback.playing ? 1000 / this.playback.speed : Infinity;
    if (inOrder && !isCalm()) this.effects.start(before, time, performance.now(), interval);
    else this.effects.rest(time - 1);
    this.stale = true;
  }

  requestFrame() {
    this.wanted ??= requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.wanted = undefined;
    if (!this.root.isConnected) return;
    const seconds = Math.min(0.1, (now - (this.lastFrame ?? now)) / 1000);
    this.lastFrame = now;
    const wasPlaying = this.playback.playing;
    this.playback.advance(seconds);
    if (this.stale || wasPlaying !== this.playback.playing) this.#show();
    if (this.budget.frame(now, this.playback.playing)) this.#resize();
    else this.#draw(now);
    if (this.playback.playing || this.effects.moving(now) || this.stage.view.moving) this.requestFrame();
    else this.lastFrame = undefined;
  }

  #draw(now) {
    const { active, hidden } = this.effects.at(now);
    this.stage.view.draw(this.marks, active, hidden);
    this.explorer.inspector.near?.draw(this.marks, active, hidden);
    this.frames += 1;
  }

  /** Updates text and sliders to the clock. */
  #show() {
    this.stale = false;
    const { time } = this.timeline;
    const measures = this.#measures();
    const text = this.sentence(time - 1);
    setText(this.now, text);
    this.scrubber.show(time, text);
    this.scrubber.showLoop(this.playback.loop);
    this.controls.show(this.#placeText(time), this.clock ? CLOCKS[this.meta.unit] : "");
    this.stage.showMeasures(measures);
    this.stage.showTip();
    this.explorer.show(time);
    this.axis?.show(time, this.playback.playing);
    this.#speak(text);
    const quantities = this.#quantities(time);
    this.options.cursors?.move(quantities);
    this.options.moved?.(quantities, this.playback.playing);
  }

  /** What an event is about. */
  sentence(index) {
    if (index >= 0) return caption(this.meta, this.events, index);
    return this.timeline.length ? `Next: ${caption(this.meta, this.events, 0)}` : "";
  }

  /** The whole run in words. */
  transcript() {
    const { meta, events, timeline } = this;
    const sentence = (event) => this.sentence(event);
    return transcriptOf({ meta, events, timeline, sentence, measuresAt: (time) => this.#measuresAt(time) });
  }

  /** The measures after some events; the replay stays where it is. */
  #measuresAt(time) {
    const now = this.timeline.time;
    this.timeline.seek(time);
    const text = this.#measures();
    this.timeline.seek(now);
    this.#measures();
    return text;
  }

  /** Brings the marks to the clock; returns what the picture says about them. */
  #measures() {
    const { time } = this.timeline;
    this.marks.objective = this.objective[time];
    this.marks.time = time;
    this.family.marksOf(this.timeline.state, this.marks);
    return this.timeline.length ? this.family.measuresText(this.marks.measures, shortNumber) : "";
  }

  #placeText(time) {
    if (!time) return "";
    const { iteration, warp, rank } = this.events;
    const noun = this.meta.axis?.noun ?? "warp";
    const where = rank ? `rank ${rank[time - 1]} · ${noun}` : noun;
    const turn = this.playback.stops.length > 1 ? `${this.meta.turn} ${iteration[time - 1]} · ` : "";
    const place = `${turn}${where} ${warp[time - 1]}`;
    return this.clock ? `${place}\nclock ${duration(this.clock[time - 1], this.meta.unit)}` : place;
  }

  #quantities(time) {
    const last = time - 1;
    return {
      event: time,
      iteration: time ? this.events.iteration[last] : NaN,
      reached: time ? this.reached[last] : NaN,
      warp: time ? this.events.warp[last] : NaN,
      time: this.clock ? (time ? this.clock[last] : 0) : NaN,
      objective: this.objective[time],
    };
  }

  #speak(text) {
    const now = performance.now();
    if (this.playback.playing && now - (this.spokenAt ?? -Infinity) < SPEAK_EVERY) return;
    this.spokenAt = now;
    setText(this.spoken, text);
  }

  remove() {
    this.playback.pause();
    if (this.wanted !== undefined) cancelAnimationFrame(this.wanted);
    this.unfollowTheme();
    this.observer.disconnect();
    this.options.cursors?.remove();
    this.root.remove();
  }
}

/** The columns of the events; a family may send more than those that all need. */
function eventsOf(arrays) {
  const own = Object.keys(arrays).filter((name) => name.startsWith("events/"));
  return Object.fromEntries(own.map((name) => [name.slice("events/".length), arrays[name]]));
}

function runningMaximum(values) {
  const maxima = new Int32Array(values.length);
  let highest = 0;
  for (let i = 0; i < values.length; ++i) maxima[i] = highest = Math.max(highest, values[i]);
  return maxima;
}
