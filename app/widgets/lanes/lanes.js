// The lanes of one warp: a row a lane, a column a step that recorded something.  Follows
// the player by its events on the window, so that playing sends no message to the page process.

import { element, setText } from "../lib/dom.js";
import { LaneGrid } from "./lanegrid.js";
import { bandFill, bandSign } from "../lib/bandfill.js";
import { followTheme } from "../lib/theme.js";
import { decodeMessage } from "../lib/wire.js";
import { sentence } from "../lib/words.js";

export function render({ model, el }) {
  let view = null;
  let time = 0; // position of the replay, for warps that are chosen later

  const ask = (warp, iteration) => {
    model.set("asked", [warp, iteration]);
    model.save_changes();
  };
  const onWarp = ({ detail }) => ask(Math.round(detail.warp), Math.round(detail.iteration));
  const onMoved = ({ detail }) => {
    time = detail.event;
    view?.follow(time);
  };
  const rebuild = () => {
    view?.remove();
    view = null;
    const payload = model.get("payload");
    if (!payload?.byteLength) {
      const text = element("p", { class: "wl-empty" }, model.get("placeholder"));
      el.replaceChildren(element("section", { class: "wp wl" }, text));
      return;
    }
    view = new LanesView(el, payload, ask);
    view.follow(time);
  };

  model.on("change:payload", rebuild);
  model.on("change:placeholder", rebuild);
  globalThis.addEventListener("warplens:warp", onWarp);
  globalThis.addEventListener("warplens:moved", onMoved);
  rebuild();
  return () => {
    model.off("change:payload", rebuild);
    model.off("change:placeholder", rebuild);
    globalThis.removeEventListener("warplens:warp", onWarp);
    globalThis.removeEventListener("warplens:moved", onMoved);
    view?.remove();
  };
}

class LanesView {
  constructor(el, payload, ask) {
    const { meta, arrays } = decodeMessage(payload);
    this.meta = meta;
    this.cells = arrays;
    this.root = element(
      "section",
      { class: "wp wl", "aria-label": `lanes of warp ${meta.warp}`, "data-warp": meta.warp },
      this.#head(ask),
      element("p", { class: "wl-words" }, meta.words.join(" ")),
    );
    if (meta.columns) this.#addGrid();
    el.replaceChildren(this.root);
    this.observer = new ResizeObserver(() => this.grid?.resize());
    this.observer.observe(this.root);
    const named = meta.bands.map(({ colour }) => colour);
    this.unfollow = followTheme(this.root, named, (theme) => this.#recolour(theme));
  }

  #head(ask) {
    const { warp, warps } = this.meta;
    const go = (to) => ask(Math.max(0, Math.min(warps - 1, to)), -1);
    const step = (by, sign, name) => {
      const disabled = warp + by < 0 || warp + by >= warps;
      const onclick = () => go(warp + by);
      return element("button", { type: "button", "aria-label": name, disabled, onclick }, sign);
    };
    const input = element("input", {
      type: "number",
      min: 0,
      max: warps - 1,
      value: warp,
      "aria-label": "Warp",
      onchange: () => Number.isFinite(input.valueAsNumber) && go(Math.round(input.valueAsNumber)),
    });
    return element(
      "div",
      { class: "wl-head" },
      element("h3", {}, `The lanes of warp ${warp}`),
      step(-1, "‹", "Previous warp"),
      element("label", {}, input, `of 0 to ${warps - 1}`),
      step(1, "›", "Next warp"),
    );
  }

  #addGrid() {
    const choose = (index) => {
      const event = this.cells.event[index] + 1;
      globalThis.dispatchEvent(new CustomEvent("warplens:seek", { detail: { event } }));
    };
    this.grid = new LaneGrid(this.cells, this.meta.columns, {
      turn: this.meta.turn,
      choose,
      hover: (place) => this.#describe(place),
    });
    this.now = element("p", { class: "wl-now", "aria-live": "polite" });
    this.legend = element("ul", { class: "wl-legend" });
    this.root.append(this.grid.root, this.now, this.legend);
  }

  /** Describes a lane's event in a column; without a column, the warp's last event in the replay. */
  #describe(place) {
    if (!place) {
      setText(this.now, this.#atCursor());
      return;
    }
    const { lane, column, index } = place;
    const what = index < 0 ? "waited" : sentence(this.meta, this.cells, index);
    const iteration = this.cells.iteration[index < 0 ? this.grid.firstOf(column) : index];
    setText(this.now, `Lane ${lane}, step ${column}, ${this.meta.turn} ${iteration}: ${what}.`);
  }

  #atCursor() {
    const index = this.grid.cursor;
    if (index < 0) return "The replay has not reached this warp yet. Point at a cell to read it, click it to go there.";
    const text = sentence(this.meta, this.cells, index);
    return `Last event of this warp so far: lane ${this.cells.lane[index]}, ${text}.`;
  }

  follow(time) {
    if (!this.grid) return;
    this.grid.follow(time);
    setText(this.now, this.#atCursor());
  }

  #recolour(theme) {
    if (!this.grid) return;
    const colours = {};
    const fillOf = (colour) => bandFill(this.grid.context, theme, colour, this.grid.ratio);
    for (const { kinds, colour } of this.meta.bands) for (const kind of kinds) colours[kind] = fillOf(colour);
    this.grid.setTheme({ ...theme, colours });
    const present = new Set(this.cells.kind);
    const shown = this.meta.bands.filter(({ kinds }) => kinds.some((kind) => present.has(kind)));
    const entry = (sign, text) => element("li", {}, sign, text);
    const plain = (colour) => element("i", { style: `background:${colour}` });
    this.legend.replaceChildren(
      ...shown.map(({ colour, text }) => entry(bandSign(colour), text)),
      entry(plain(theme.line), "waited"),
      entry(plain(theme.accent), "where the replay is"),
    );
  }

  remove() {
    this.observer.disconnect();
    this.unfollow();
  }
}
