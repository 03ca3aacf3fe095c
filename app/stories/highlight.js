// Rings and lines over the player's picture: what a stop of a story wants looked at.

const SPACE = "http://www.w3.org/2000/svg";

/** The player of this page that is beside an element. */
export function playerNear(near) {
  const players = globalThis.__warplens?.players ?? [];
  const place = near.closest(".ws-stage") ?? document;
  return players.find((player) => place.contains(player.root)) ?? null;
}

export class Highlight {
  constructor(near) {
    this.near = near;
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("class", "wy-marks");
    this.svg.setAttribute("aria-hidden", "true");
  }

  show(look) {
    this.look = look;
    this.drawn = "";
    this.flownTo = null;
    this.axis = null;
    if (this.frame === undefined) this.#follow();
  }

  clear() {
    if (this.look) playerNear(this.near)?.stage.view.look?.([]);
    if (this.look) playerNear(this.near)?.axis?.look({});
    this.look = null;
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.svg.remove();
  }

  /** Follows the camera; draws only when something has moved. */
  #follow() {
    this.frame = requestAnimationFrame(() => this.#follow());
    const player = playerNear(this.near);
    const view = player?.stage.view;
    if (player?.axis?.ratio && this.look && this.axis !== player.axis) {
      this.axis = player.axis;
      player.axis.look(this.look);
    }
    // Until its first frame the view has no radius.
    if (!view?.X || !(view.radius > 0) || !this.look) return this.svg.remove();
    if (this.flownTo !== view) this.#fly(player, view);
    if (this.svg.parentNode !== player.stage.root) player.stage.root.append(this.svg);
    const vertices = [...(this.look.vertices ?? []), ...this.#ofWarps(player)];
    const edges = this.look.edges ?? [];
    const at = (vertex) => [view.X[vertex], view.Y[vertex]].map((part) => Math.round(part * 10) / 10);
    const rings = [...new Set(vertices)].map(at);
    const lines = edges.map(([from, to]) => [...at(from), ...at(to)]);
    const { scale } = player.stage;
    const key = JSON.stringify([rings, lines, view.radius, scale]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.svg.style.transform = `scale(${scale})`;
    this.svg.replaceChildren(
      ...lines.map(([x1, y1, x2, y2]) => mark("line", { x1, y1, x2, y2 })),
      ...rings.map(([cx, cy]) => mark("circle", { cx, cy, r: view.radius + 6 })),
    );
  }

  /** Brings the camera to what is to be looked at, once: the visitor may go on from there. */
  #fly(player, view) {
    this.flownTo = view;
    const { vertices = [], edges = [] } = this.look;
    view.look?.([...vertices, ...edges.flat()]);
    player.requestFrame();
  }

  /** The vertices on which some warps work now. */
  #ofWarps({ marks }) {
    const warps = new Set(this.look.warps ?? []);
    if (!warps.size || !marks.warps) return [];
    return [...marks.warps.keys()].filter((vertex) => warps.has(marks.warps[vertex]));
  }
}

function mark(tag, attributes) {
  const node = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
