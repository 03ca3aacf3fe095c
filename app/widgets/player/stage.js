// The framed picture: view, measures, tip beside the pointer, zoom and pan; and its legend
// below.

import { TWO_LINES } from "../lib/camera.js";
import { CellView } from "../lib/cellview.js";
import { element, setText } from "../lib/dom.js";
import { GraphView } from "../lib/graphview.js";
import { MatrixView } from "../lib/matrixview.js";
import { panelled } from "../lib/rankpanels.js";

export class Stage {
  /** `facts(vertex)` gives the lines of the tip; `redraw()` asks for a new frame; a click on a
   *  vertex calls `pin(vertex)`, with -1 if it was pinned; `pictures`: the kinds of picture that
   *  can be changed between, the first one first, if they are the family's own. */
  constructor(meta, arrays, { styles, legend, facts, redraw, pin, picture, pictures }) {
    this.facts = facts;
    this.redraw = redraw;
    this.pin = pin;
    this.measures = element("div", { class: "wp-measures" });
    this.tip = element("div", { class: "wp-tip", hidden: true });
    this.root = element("div", { class: "wp-stage" });
    this.scale = 1;
    const drawn = Boolean(arrays["layout/x"]);
    const [First, ...others] = pictures ?? [
      ...this.#graphs(drawn, picture ?? GraphView, meta),
      ...(arrays["edges/u"]?.length ? [MatrixView] : []),
    ];
    const make = (Kind) => {
      const frame = element("div", { class: "wp-view" });
      const view = new Kind(frame, meta, arrays, styles);
      view.redraw = redraw; // pictures with buttons of their own
      return { frame, view, Kind };
    };
    /** A second picture like the one that is shown, drawn for a file. */
    this.twin = (host) => {
      const { view, Kind } = this.shown;
      const twin = new Kind(host, meta, arrays, styles);
      twin.setTheme(view.theme);
      twin.byWarp = view.byWarp;
      twin.chain = view.chain;
      twin.looked = view.looked;
      twin.select(view.selected);
      Object.assign(twin.camera ?? {}, view.camera);
      twin.resize(...this.#size, 1);
      return twin;
    };
    this.first = this.shown = make(First);
    this.view = this.shown.view;
    this.legend = legendOf(legend);
    this.note = element("li", { class: "wp-note" });
    this.legend.prepend(this.note);
    this.zoom = this.#zoomButtons();
    this.root.append(this.shown.frame, this.measures, this.tip, this.zoom);
    this.buttons = others.map((Other) => this.#otherButton(Other, () => make(Other)));
    this.zoom.append(...this.buttons.map(({ button }) => button));
    this.root.style.setProperty("--wp-buttons", this.zoom.children.length);
    this.#showNote();
    this.#listen();
  }

  /** The pictures of the graph: of a run on ranks with one panel a rank, and without. */
  #graphs(drawn, View, { ranks }) {
    if (!drawn) return [CellView];
    return ranks ? panelled(View) : [View];
  }

  /** Colours vertices by the warp that holds them, or by their state. */
  setByWarp(byWarp) {
    this.view.byWarp = byWarp;
    this.legend.classList.toggle("wp-by-warp", byWarp);
    this.redraw();
  }

  showMeasures(text) {
    this.measures.hidden = !text;
    setText(this.measures, text);
  }

  showTip() {
    const vertex = this.hovered ?? -1;
    this.tip.hidden = vertex < 0;
    if (vertex < 0) return;
    const [title, ...lines] = this.facts(vertex);
    this.tip.replaceChildren(
      element("b", {}, title),
      ...lines.map((line) => element("span", {}, line)),
    );
  }

  /** Changes between the first picture and another one, which is made on first use. */
  #otherButton({ TITLE, SIGN = "▦" }, make) {
    const one = { picture: null };
    const change = () => {
      one.picture ??= make();
      this.#change(this.shown === one.picture ? this.first : one.picture);
    };
    const attributes = { type: "button", "aria-label": TITLE, title: TITLE };
    one.button = element("button", { ...attributes, "aria-pressed": "false", onclick: change }, SIGN);
    return one;
  }

  #change(picture) {
    const before = this.shown;
    this.shown = picture;
    before.frame.replaceWith(picture.frame);
    const { view } = picture;
    this.view = view;
    view.setTheme(before.view.theme);
    view.resize(...this.#size, before.view.ratio);
    view.byWarp = before.view.byWarp;
    view.chain = before.view.chain;
    view.select(before.view.selected);
    for (const one of this.buttons) one.button.setAttribute("aria-pressed", one.picture === picture);
    this.#showNote();
    this.hovered = undefined;
    this.showTip();
    this.redraw();
  }

  /** Shows a note on pictures that are not the graph itself; those cannot be zoomed. */
  #showNote() {
    const { note, zooms } = this.view;
    this.note.hidden = !note;
    setText(this.note, note ?? "");
    this.root.classList.toggle("wp-no-zoom", Boolean(note) && !zooms);
    this.legend.classList.toggle("wp-as-matrix", this.view instanceof MatrixView);
  }

  #zoomButtons() {
    const zoom = (factor) => () => {
      const [width, height] = this.#size;
      this.view.camera.zoomAt(factor, width / 2, height / 2);
      this.#moved();
    };
    const reset = () => {
      this.view.camera.reset();
      this.#moved();
    };
    const button = (text, label, action) =>
      element("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    return element(
      "div",
      { class: "wp-zoom" },
      button("+", "Zoom in", zoom(1.5)),
      button("−", "Zoom out", zoom(1 / 1.5)),
      button("⤢", "Whole graph", reset),
    );
  }

  /** Draws for the present size of the frame; `ratio`: pixels of the screen for one of the page. All
   *  of a picture, names too, is as large as the style sheet's --wp-scale says. */
  resize(ratio) {
    this.scale = Number(getComputedStyle(this.root).getPropertyValue("--wp-scale")) || 1;
    this.root.classList.toggle("wp-two-lines", this.#size[0] <= TWO_LINES);
    this.view.resize(...this.#size, ratio * this.scale);
  }

  get #size() {
    return [this.root.clientWidth / this.scale, this.root.clientHeight / this.scale];
  }

  #moved() {
    this.view.refresh();
    this.redraw();
  }

  #listen() {
    const { root } = this;
    let grip = null;
    root.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      const [x, y] = this.pixel(event);
      grip = { x, y, far: false };
      root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointermove", (event) => {
      const [x, y] = this.pixel(event);
      if (grip && (grip.far || Math.hypot(x - grip.x, y - grip.y) > 4)) {
        this.view.camera.pan(x - grip.x, y - grip.y);
        grip = { x, y, far: true };
        this.#moved();
        return;
      }
      const vertex = event.target.closest("button") ? -1 : this.view.pick(x, y);
      this.hovered = vertex >= 0 ? vertex : undefined;
      root.classList.toggle("wp-over", vertex >= 0);
      this.#placeTip(x, y);
      this.showTip();
    });
    root.addEventListener("pointerup", (event) => {
      if (grip && !grip.far) {
        const vertex = this.view.pick(...this.pixel(event));
        this.pin(vertex === this.view.selected ? -1 : vertex);
      }
      grip = null;
    });
    root.addEventListener("pointerleave", () => {
      this.hovered = undefined;
      this.showTip();
    });
    root.addEventListener("dblclick", (event) => {
      if (event.target.closest("button")) return;
      this.view.camera.zoomAt(2, ...this.pixel(event));
      this.#moved();
    });
    const onWheel = (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      this.view.camera.zoomAt(Math.exp(-event.deltaY / 240), ...this.pixel(event));
      this.#moved();
    };
    root.addEventListener("wheel", onWheel, { passive: false });
  }

  /** Where the pointer is in the picture. */
  pixel(event) {
    const box = this.root.getBoundingClientRect();
    return [(event.clientX - box.left) / this.scale, (event.clientY - box.top) / this.scale];
  }

  #placeTip(...pixel) {
    const [x, y] = pixel.map((part) => part * this.scale);
    const right = x > this.root.clientWidth - 210;
    this.tip.style.left = right ? "" : `${x + 14}px`;
    this.tip.style.right = right ? `${this.root.clientWidth - x + 14}px` : "";
    this.tip.style.top = `${Math.max(6, Math.min(y + 10, this.root.clientHeight - 96))}px`;
  }
}

function legendOf(entries) {
  const warps = "vertices of one warp have one colour (eight colours, in turn)";
  return element(
    "ul",
    { class: "wp-legend", "aria-label": "legend" },
    element("li", { class: "wp-of-warps" }, warps),
    ...entries.map(({ sign, text, links }) =>
      element("li", { class: links ? "wp-of-links" : null }, element("i", { class: `wp-sign wp-sign-${sign}` }), text),
    ),
  );
}
