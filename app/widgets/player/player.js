// The module for anywidget: renders a model into an element, and cleans up afterwards.  A page without
// a server calls it, too, with a simple object as the model.

import { ChartCursors } from "./cursors.js";
import { element, isCalm } from "../lib/dom.js";
import { onPageKeys } from "./keys.js";
import { PlayerView } from "./player_view.js";
import { caption } from "../lib/words.js";

const SETTLED = 300; // milliseconds without a move after which the position is sent to the page process

export function render({ model, el }) {
  let view = null;
  let timer = 0;

  // No message while playing; one message when the replay stops.
  const send = (time, playing) => {
    clearTimeout(timer);
    if (playing) return;
    timer = setTimeout(() => {
      // A later move whose frame is yet to come sends itself; this one must not take it back.
      if (model.get("position") === time || view?.time !== time) return;
      model.set("position", time);
      model.save_changes();
    }, SETTLED);
  };

  const moved = (quantities, playing) => {
    send(quantities.event, playing);
    const last = quantities.event - 1;
    const happened = last >= 0 && view !== null;
    const detail = {
      ...quantities,
      kind: happened ? view.events.kind[last] : 0,
      text: happened ? caption(view.meta, view.events, last) : "",
    };
    el.dispatchEvent(new CustomEvent("warplens:moved", { bubbles: true, detail }));
  };

  const rebuild = () => {
    forget();
    const payload = model.get("payload");
    // The run that the page opens on is not shown where a link asks for another one.
    const waits = model.get("plays") && location.search;
    if (!payload || !payload.byteLength || waits) {
      el.replaceChildren(element("p", { class: "wp-empty" }, model.get("placeholder") ?? ""));
      return;
    }
    const cursors = new ChartCursors(model.get("cursors"));
    try {
      view = new PlayerView(el, payload, { cursors, moved });
    } catch (error) {
      el.replaceChildren(element("p", { class: "wp-doubt", role: "alert" }, error.message));
      throw error;
    }
    hook().players.push(view);
    if (model.get("position")) view.seek(model.get("position"));
    else if (model.get("plays") && !isCalm()) view.play();
  };

  const forget = () => {
    clearTimeout(timer);
    if (!view) return;
    hook().players = hook().players.filter((other) => other !== view);
    view.remove();
    view = null;
  };

  const onPlays = () => view ?? rebuild();
  const follow = () => {
    if (view && view.time !== model.get("position")) view.seek(model.get("position"));
  };
  const unlisten = onPageKeys(() => view?.root, (event) => view.onKey(event));
  const onSeek = (event) => view?.seek(event.detail.event);

  model.on("change:payload", rebuild);
  model.on("change:plays", onPlays);
  model.on("change:cursors", rebuild);
  model.on("change:position", follow);
  globalThis.addEventListener("warplens:seek", onSeek);
  rebuild();
  return () => {
    model.off("change:payload", rebuild);
    model.off("change:plays", onPlays);
    model.off("change:cursors", rebuild);
    model.off("change:position", follow);
    globalThis.removeEventListener("warplens:seek", onSeek);
    unlisten();
    forget();
  };
}

/** The players of the page, for tests and for other widgets. */
function hook() {
  globalThis.__warplens ??= { players: [] };
  return globalThis.__warplens;
}
