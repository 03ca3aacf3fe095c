// A replay on a page of its own, without a server: the widgets of the dashboards with simple models.
//
// The page sends every move to the page around it, and listens to it:
//   out  {source: "warplens", type: "moved", step, steps, text, own}; own: the reader moved it
//   in   {type: "warplens:seek", step}, {type: "warplens:play"}, {type: "warplens:pause"},
//        {type: "warplens:look", vertices, edges, warps, lanes}: rings, lines, and the lanes of a warp

import * as storyBar from "../stories/bar.js";
import { Highlight } from "../stories/highlight.js";
import * as codePanes from "../widgets/code/code.js";
import { group, localFiles } from "../widgets/export_bar/files.js";
import * as player from "../widgets/player/player.js";
import { isCalm } from "../widgets/lib/dom.js";
import * as sideBySide from "../widgets/side_by_side/side_by_side.js";
import { element } from "../widgets/lib/dom.js";
import { Model } from "./model.js";
import { drawCharts } from "./charts.js";
import { frameOf, partOf, wishesOf } from "./address.js";

const byId = (id) => document.getElementById(id);

/** Unpacks text in base 64 that holds compressed bytes; the text leaves the page. */
async function unpack(holder) {
  const text = holder.textContent.trim();
  holder.remove();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The clock of the page: that of the only player, or the one that several share. */
class PageClock {
  constructor(together) {
    const { players, together: all } = globalThis.__warplens;
    this.view = together ? all : players[0];
    this.clock = together ? all.clock : this.view.playback;
    /** Where the page around this one has moved the replay, until the reader moves it. */
    this.asked = null;
  }

  get step() {
    return this.clock.position ?? this.clock.time;
  }

  get steps() {
    return this.clock.length;
  }

  seek(step) {
    this.clock.playing = false;
    this.clock.moveTo(step);
    this.view.requestFrame?.();
  }

  follow(step) {
    this.asked = Math.min(Math.max(step, 0), this.steps);
    this.seek(step);
  }

  play(playing) {
    if (this.clock.playing !== playing) this.clock.toggle();
    this.view.requestFrame?.();
  }

  loop(part) {
    this.clock.loop = { ...part, name: "part" };
  }

  /** Calls `heard(text)` after every move. */
  listen(heard) {
    if (this.view.playback) {
      addEventListener("warplens:moved", ({ detail }) => heard(detail.text));
      return;
    }
    const { moved } = this.clock;
    this.clock.moved = () => {
      moved();
      heard(this.view.words.textContent);
    };
  }
}

export async function start() {
  const data = JSON.parse(byId("data").textContent);
  const wishes = wishesOf(location.search);
  document.body.dataset.controls = wishes.controls ? "1" : "0";
  const payload = await unpack(byId("packed"));
  const stage = byId("player");
  if (data.listing.lines) {
    const { listing, sources, edit } = data;
    const offer = { ready: false, busy: false, text: "" };
    codePanes.render({ model: new Model({ listing, sources, edit, profile: {}, offer }), el: byId("code") });
  } else byId("code").hidden = true;
  const shown = data.together ? sideBySide : player;
  shown.render({ model: new Model({ payload, position: 0, cursors: data.cursors, placeholder: "" }), el: stage });
  const clock = new PageClock(data.together);
  const story = data.story.stops ? showStory(data.story, wishes) : null;
  if (!story || wishes.step !== null) place(clock, wishes, data.first);
  converse(clock);
  const listCharts = data.together ? () => {} : offerFiles(byId("export"), data.charts.length > 0);
  drawCharts(byId("charts"), data.charts, listCharts);
  offerFrame(() => {
    const stops = story?.get("story").stops;
    return stops ? { name: "stop", value: story.get("stop") + 1 } : { name: "step", value: clock.step };
  });
  document.body.dataset.ready = "1";
}

/** Shows a story above the picture; the result of the run is shown at its last stop. */
function showStory(story, wishes) {
  const last = story.stops.length - 1;
  const stop = Math.min(Math.max((wishes.stop ?? 1) - 1, 0), last);
  const values = { story, stop, asks: true, question: {}, offered: [], origin: {}, recording: false };
  const leave = ({ kind }) => kind === "leave" && model.set("story", {});
  const model = new Model(values, leave);
  addEventListener("warplens:stop", ({ detail }) => {
    byId("results").hidden = byId("charts").hidden = detail !== null && detail.stop < detail.stops;
  });
  storyBar.render({ model, el: byId("story") });
  return model;
}

/** Moves the replay to where the address wants it. */
function place(clock, wishes, first) {
  const part = partOf(wishes, clock.steps);
  const limited = wishes.from !== null || wishes.to !== null || wishes.loop;
  if (limited) clock.loop(part);
  clock.seek(wishes.step ?? (limited ? part.from : first));
  if (wishes.play && !isCalm()) clock.play(true);
}

/** Talks with the page around this one. Where the replay begins is no move of the reader. */
function converse(clock) {
  clock.asked = clock.step;
  if (parent !== globalThis) {
    parent.postMessage({ source: "warplens", type: "ready", step: clock.step, steps: clock.steps }, "*");
    clock.listen((text) => {
      const { step, steps } = clock;
      const own = step !== clock.asked;
      if (own) clock.asked = null;
      parent.postMessage({ source: "warplens", type: "moved", step, steps, text, own }, "*");
    });
  }
  const pointed = new Highlight(byId("player"));
  addEventListener("message", ({ data }) => {
    if (data?.type === "warplens:seek" && Number.isInteger(data.step)) clock.follow(data.step);
    if (data?.type === "warplens:play") clock.play(true);
    if (data?.type === "warplens:pause") clock.play(false);
    if (data?.type === "warplens:look") pointed.show(lookOf(data));
  });
}

/** The place for exports; returns what lists the charts. A frame without an origin may save nothing. */
function offerFiles(host, charted) {
  if (globalThis.origin === "null" && parent !== globalThis) return () => {};
  const words = element("span", { class: "wt-words", role: "status" });
  const name = document.querySelector("h1").textContent.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "");
  const say = (text) => (words.textContent = text);
  const { picture, warps, charts, list } = localFiles({ page: () => document.body, player: () => globalThis.__warplens.players[0], name: () => name, say });
  const groups = [group("Picture", ...picture), group("Warps over time", ...warps)];
  if (charted) groups.push(group("Charts", ...charts));
  host.append(element("section", { class: "ws-card wt", "aria-label": "Export" }, ...groups, words));
  return list;
}

/** What another page wants looked at, as far as this picture has it. */
function lookOf({ vertices, edges, warps, lanes }) {
  const { stage, axis } = globalThis.__warplens.players[0];
  const below = (bound) => (number) => Number.isInteger(number) && number >= 0 && number < bound;
  const inside = below(stage.view.X?.length ?? 0);
  const listed = (values) => (Array.isArray(values) ? values : []);
  return {
    vertices: listed(vertices).filter(inside),
    edges: listed(edges).filter((edge) => listed(edge).length === 2 && edge.every(inside)),
    warps: listed(warps).filter(Number.isInteger),
    ...(below(axis?.axis.warps ?? 0)(lanes) ? { lanes } : {}),
  };
}

function offerFrame(here) {
  const [box, field] = [byId("embed"), byId("frame")];
  box.addEventListener("toggle", () => {
    field.value = frameOf(location.href, here(), document.title);
    if (box.open) field.select();
  });
}
