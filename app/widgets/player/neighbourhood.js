// A vertex and its neighbours, drawn separately: a picture of thousands cannot show them.

import { GraphView } from "../lib/graphview.js";
import { element } from "../lib/dom.js";
import { counted } from "../lib/words.js";

const MOST = 40; // neighbours, those with the heaviest edges
const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // turns so that no two neighbours hide each other

/** Always the same, with room for the names on the right. */
const FRAME = { left: -2.1, right: 2.6, bottom: -1, top: 1 };

export class Neighbourhood {
  /** `pin(vertex)` is called when one of the neighbours is clicked. */
  constructor(player, pin) {
    this.player = player;
    this.pin = pin;
    this.root = element("div", {
      class: "wp-near",
      role: "img",
      onclick: (event) => this.#onClick(event),
    });
    const onResize = () => {
      this.resize(this.ratio ?? 1);
      player.requestFrame(); // a canvas of another size is empty
    };
    new ResizeObserver(onResize).observe(this.root);
  }

  /** `neighbours`: [[vertex, weight]], heaviest first; `edges` of the whole graph. */
  choose(vertex, neighbours, edges) {
    const { meta, label, family } = this.player;
    const shown = neighbours.slice(0, MOST);
    this.vertices = [vertex, ...shown.map(([other]) => other)];
    this.place = new Map(this.vertices.map((v, i) => [v, i]));
    this.drawn = new Uint8Array(meta.n); // asked for every link in every frame
    for (const one of this.vertices) this.drawn[one] = 1;
    const inner = edges.among(this.place);
    const angle = (i) => (shown.length > 8 ? i * GOLDEN : (2 * Math.PI * i) / shown.length);
    const far = (i) => 0.45 + 0.55 * Math.sqrt(i / Math.max(1, shown.length));
    const arrays = {
      // The heaviest edges are the shortest; wider than high, as the frame is.
      "layout/x": Float32Array.from(this.vertices, (_, i) => i && 2 * far(i) * Math.cos(angle(i))),
      "layout/y": Float32Array.from(this.vertices, (_, i) => i && far(i) * Math.sin(angle(i))),
      "edges/u": Int32Array.from(inner, (e) => this.place.get(edges.u[e])),
      "edges/v": Int32Array.from(inner, (e) => this.place.get(edges.v[e])),
      "edges/weight": Float32Array.from(inner, (e) => edges.weight[e]),
    };
    this.view?.remove();
    const names = this.vertices.map(label);
    this.view = new GraphView(this.root, { ...meta, names }, arrays, family.STYLES);
    this.view.camera.bounds = FRAME;
    this.view.camera.reset();
    this.view.select(0);
    const more = neighbours.length - shown.length;
    const rest = more > 0 ? `, ${more} more are not drawn` : "";
    this.root.setAttribute("aria-label", `${label(vertex)} and ${counted(shown.length, "neighbour")}${rest}`);
    this.root.dataset.drawn = this.vertices.length;
    this.resize(this.ratio ?? 1);
  }

  resize(ratio) {
    this.ratio = ratio;
    const { clientWidth, clientHeight } = this.root;
    this.wide = clientWidth; // reading it in every frame would force a layout each time
    if (!this.view || !clientWidth) return;
    this.view.theme = this.player.theme;
    this.view.resize(clientWidth, clientHeight, ratio);
  }

  draw(marks, effects, hidden) {
    if (!this.view || !this.wide) return;
    if (this.view.theme !== this.player.theme) this.view.setTheme(this.player.theme);
    const { place } = this;
    const known = (v) => v === undefined || place.has(v);
    const local = (effect) => ({
      ...effect,
      from: place.get(effect.from),
      to: place.get(effect.to),
      at: place.get(effect.at),
    });
    const seen = effects
      .filter(({ effect }) => known(effect.from) && known(effect.to) && known(effect.at))
      .map((one) => ({ ...one, effect: local(one.effect) }));
    this.view.byWarp = this.player.stage.view.byWarp;
    const own = {
      classes: this.vertices.map((v) => marks.classes[v]),
      warps: this.vertices.map((v) => marks.warps?.[v]),
      tints: marks.tints && this.vertices.map((v) => marks.tints[v]),
      links: this.#pairs(marks.links),
      arrows: this.#pairs(marks.arrows),
    };
    this.view.draw(own, seen, new Set([...hidden].map((v) => place.get(v))));
  }

  #pairs(pairs) {
    const found = [];
    const { place, drawn } = this;
    for (let i = 0; i < pairs.length; i += 2) {
      if (!drawn[pairs[i]] || !drawn[pairs[i + 1]]) continue;
      found.push(place.get(pairs[i]), place.get(pairs[i + 1]));
    }
    return found;
  }

  #onClick(event) {
    const box = this.root.getBoundingClientRect();
    const place = this.view?.pick(event.clientX - box.left, event.clientY - box.top) ?? -1;
    if (place > 0) this.pin(this.vertices[place]);
  }
}
