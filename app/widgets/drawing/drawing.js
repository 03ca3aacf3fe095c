// A graph drawn by mouse, finger or keys. What the keys do is also said below the canvas.

import { element, setText } from "warplens/dom.js";
import { RADIUS, Sketch, TALL, WIDE } from "./sketch.js";

const STEP = 10; // of the cross, by an arrow key
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NAME = "Canvas: arrow keys move the cross; Enter puts a vertex, or begins and ends an edge; N and E choose the next vertex or edge; digits set the weight; Delete deletes; Control Z undoes";

export function render({ model, el }) {
  new Canvas(model, el);
}

class Canvas {
  constructor(model, host) {
    this.model = model;
    this.sketch = new Sketch(model.get("most_vertices"), model.get("most_edges"));
    this.cross = { x: WIDE / 2, y: TALL / 2 };
    this.drag = null; // {from, to: place} while an edge is dragged
    this.typed = -1; // the edge whose weight is being typed
    this.svg = shape("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, tabindex: 0, role: "application", "aria-label": NAME, class: "wg-canvas" });
    this.said = element("p", { class: "wg-said", role: "status" });
    this.weight = element("input", { type: "number", min: 0, step: "any", oninput: () => this.#type(), onkeydown: (event) => this.#leaveField(event) });
    this.label = element("span");
    this.field = element("label", { class: "wg-weight" }, this.label, this.weight);
    const button = (text, act, attributes = {}) => element("button", { type: "button", class: "wg-button", onclick: act, ...attributes }, text);
    this.buttons = {
      undo: button("Undo", () => this.#change(() => this.sketch.undo())),
      remove: button("Delete", () => this.#change(() => this.sketch.remove())),
      clear: button("Clear", () => this.#change(() => this.sketch.clear())),
      save: button("Save as file", () => this.#save()),
      use: button("Use this drawing", () => this.#send(), { class: "wg-button wg-use" }),
    };
    const { undo, remove, clear, save, use } = this.buttons;
    const keys = element("p", { class: "wg-keys" }, "Keys: arrows, Enter, N and E for the next vertex or edge, digits for a weight, Delete, Ctrl+Z.");
    host.classList.add("wg");
    host.append(this.svg, this.said, this.field, element("div", { class: "wg-tools" }, undo, remove, clear, save, use), keys);
    this.svg.addEventListener("pointerdown", (event) => this.#press(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#release(event));
    this.svg.addEventListener("pointercancel", () => this.#change(() => (this.drag = null)));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.#show();
  }

  // Mouse and finger

  #place({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x, y };
  }

  #press(event) {
    if (event.button) return;
    this.svg.setPointerCapture(event.pointerId);
    const place = this.#place(event);
    this.drag = { from: this.sketch.vertexAt(place), to: place };
  }

  #move(event) {
    if (!this.drag) return;
    this.drag.to = this.#place(event);
    this.#show();
  }

  #release(event) {
    if (!this.drag) return;
    const { from } = this.drag;
    const place = this.#place(event);
    this.drag = null;
    this.cross = place;
    this.#change(() => (from < 0 ? this.#put(place) : this.#end(from, place)));
  }

  /** The end of a drag from a vertex: at another one, at itself, or where a new one is put. */
  #end(from, place) {
    const { sketch } = this;
    let to = sketch.vertexAt(place);
    if (to === from) return sketch.choose(from);
    if (to < 0) to = sketch.put(place);
    if (to < 0) return `A drawing has at most ${sketch.most.vertices} vertices.`;
    return this.#join(from, to);
  }

  #put(place) {
    const { sketch } = this;
    const [vertex, edge] = [sketch.vertexAt(place), sketch.edgeAt(place)];
    if (vertex >= 0 || edge >= 0) return sketch.choose(vertex, vertex < 0 ? edge : -1);
    return sketch.put(place) < 0 ? `A drawing has at most ${sketch.most.vertices} vertices.` : undefined;
  }

  #join(from, to) {
    return this.sketch.join(from, to) < 0 ? `A drawing has at most ${this.sketch.most.edges} edges.` : undefined;
  }

  // Keys

  #key(event) {
    if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== "z")) return;
    const act = this.#actOf(event);
    if (!act) return;
    event.stopPropagation();
    // The digit goes into the field, which has the focus by then.
    if (act !== this.weight) {
      event.preventDefault();
      this.#change(act);
    } else if (this.sketch.edge >= 0) {
      this.weight.value = "";
      this.weight.focus();
    }
  }

  #actOf({ key, shiftKey, ctrlKey, metaKey }) {
    const { sketch } = this;
    if (ctrlKey || metaKey) return () => sketch.undo();
    if (MOVES[key]) return () => this.#moveCross(MOVES[key], shiftKey ? 4 : 1);
    if (/^[\d.]$/.test(key)) return this.weight;
    const { length } = sketch.points;
    return {
      Enter: () => this.#enter(),
      " ": () => this.#enter(),
      n: () => length && this.#visit((sketch.vertexAt(this.cross) + 1) % length),
      e: () => sketch.edges.length && sketch.choose(-1, (sketch.edge + 1) % sketch.edges.length),
      Delete: () => sketch.remove(),
      Backspace: () => sketch.remove(),
      Escape: () => sketch.choose(-1),
    }[key.length === 1 ? key.toLowerCase() : key];
  }

  #moveCross([dx, dy], times) {
    const within = (value, size) => Math.max(RADIUS + 1, Math.min(size - RADIUS - 1, value));
    const { x, y } = this.cross;
    this.cross = { x: within(x + STEP * times * dx, WIDE), y: within(y + STEP * times * dy, TALL) };
    const vertex = this.sketch.vertexAt(this.cross);
    return vertex < 0 ? " " : `At vertex ${vertex}.`;
  }

  /** Moves the cross to a vertex; what was chosen stays, so that an edge can end there. */
  #visit(vertex) {
    this.cross = { ...this.sketch.points[vertex] };
    return `At vertex ${vertex}.`;
  }

  #enter() {
    const { sketch, cross } = this;
    const at = sketch.vertexAt(cross);
    return at >= 0 && sketch.vertex >= 0 && at !== sketch.vertex ? this.#join(sketch.vertex, at) : this.#put(cross);
  }

  // Weights

  #type() {
    const weight = Number(this.weight.value);
    const fits = weight > 0 && Number.isFinite(weight);
    this.weight.setAttribute("aria-invalid", String(!fits));
    if (!fits) return setText(this.said, "A weight is a number above 0.");
    const { sketch } = this;
    sketch.weigh(weight, this.typed === sketch.edge);
    this.typed = sketch.edge;
    this.#show();
    setText(this.said, `Weight ${weight}.`);
  }

  #leaveField(event) {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    this.svg.focus();
    this.#change(() => {});
  }

  // What is seen, and what is sent

  /** Does something and shows it; `act` returns what is said, if not what is chosen. */
  #change(act) {
    const said = act();
    this.typed = -1;
    this.#show();
    const { points, edge, vertex, edges } = this.sketch;
    const { u, v, weight } = edges[edge] ?? {};
    const chosen = edge >= 0 ? `Edge ${u} – ${v}, weight ${weight}: type another one.` : vertex >= 0 ? `Vertex ${vertex}: drag from it to another one.` : "";
    const start = points.length ? "" : "Click: a vertex. Drag from one to another: an edge.";
    setText(this.said, (typeof said === "string" && said) || chosen || start);
  }

  #show() {
    const { sketch, svg, drag } = this;
    const { points, edges } = sketch;
    const line = (from, to, kind) => shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: kind });
    const text = ({ x, y }, words, kind) => Object.assign(shape("text", { x, y, class: kind }), { textContent: words });
    const middle = ({ u, v }) => ({ x: (points[u].x + points[v].x) / 2, y: (points[u].y + points[v].y) / 2 });
    const chosen = (is) => (is ? " wg-chosen" : "");
    svg.replaceChildren(
      ...(drag?.from >= 0 ? [line(points[drag.from], drag.to, "wg-edge wg-drag")] : []),
      ...edges.map(({ u, v }, i) => line(points[u], points[v], `wg-edge${chosen(i === sketch.edge)}`)),
      ...points.flatMap((point, i) => [
        shape("circle", { cx: point.x, cy: point.y, r: RADIUS, class: `wg-vertex${chosen(i === sketch.vertex)}` }),
        text(point, i, "wg-number"),
      ]),
      ...edges.map((edge) => text(middle(edge), edge.weight, "wg-amount")),
      shape("path", { d: `M${this.cross.x - 7} ${this.cross.y}h14m-7 -7v14`, class: "wg-cross" }),
    );
    const one = edges[sketch.edge];
    this.field.hidden = !one;
    if (one) setText(this.label, `Weight of the edge ${one.u} – ${one.v}`);
    if (one && document.activeElement !== this.weight) this.weight.value = one.weight;
    if (!points.length) setText(this.said, "Click: a vertex. Drag from one to another: an edge.");
    const { undo, remove, clear, save, use } = this.buttons;
    undo.disabled = !sketch.before.length;
    remove.disabled = !one && sketch.vertex < 0;
    clear.disabled = !points.length;
    save.disabled = use.disabled = !edges.length;
  }

  #send() {
    const { text, places } = this.sketch;
    this.model.send({ kind: "drawing" }, undefined, [new TextEncoder().encode(text), places]);
    setText(this.said, "The drawing is loaded; Run computes it.");
  }

  #save() {
    const address = URL.createObjectURL(new Blob([this.sketch.text], { type: "text/plain" }));
    element("a", { href: address, download: "drawing.mtx" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
