// The bar of stories: title, stop k of n, back and next, caption, notes, questions; and the form
// that records a story. It moves the player by "warplens:seek".

import { Highlight, playerNear } from "./highlight.js";
import { QuestionBox } from "./question.js";
import { Recorder } from "./recorder.js";
import { element, setText } from "../widgets/lib/dom.js";

const PATIENCE = 10_000; // milliseconds until the player must be there

export function render({ model, el }) {
  const button = (text, onclick, more = {}) =>
    element("button", { type: "button", class: "wy-button", onclick, ...more }, text);
  const title = element("h2", { class: "wy-title" });
  const place = element("span", { class: "wy-place", role: "status" });
  const back = button("Back", () => move(-1), { "aria-keyshortcuts": "PageUp" });
  const next = button("Next", () => move(1), { "aria-keyshortcuts": "PageDown" });
  next.classList.add("wy-main");
  const caption = element("p", { class: "wy-caption", "aria-live": "polite" });
  const words = element("ul", { class: "wy-words", "aria-label": "words explained" });
  const notes = element("p");
  const noted = element("details", { class: "wy-notes" }, element("summary", {}, "Speaker notes"), notes);
  const leave = button("Leave the story", () => model.send({ kind: "leave" }));
  const box = new QuestionBox((vertex) => playerNear(el)?.label?.(vertex));
  const highlight = new Highlight(el);
  const shown = element(
    "section",
    { class: "wy-story", "aria-label": "story", hidden: true },
    element("div", { class: "wy-head" }, title, place, element("span", { class: "wy-move" }, back, next), leave),
    caption,
    words,
    noted,
  );
  const recorder = new Recorder(model, () => playerNear(el));
  const choose = element("select", { class: "wy-choose", "aria-label": "Story", onchange: onChoose });
  const asks = element("input", { type: "checkbox", onchange: () => set("asks", asks.checked) });
  const again = button("Ask me", () => model.send({ kind: "ask", step: playerNear(el)?.time ?? 0 }));
  const tools = element(
    "div",
    { class: "wy-tools" },
    choose,
    ...recorder.buttons,
    element("label", { class: "wy-switch" }, asks, "Questions"),
    again,
  );
  const root = element("div", { class: "wy" }, shown, box.root, recorder.root, tools);
  el.append(root);
  let waiting = 0;
  let said = null;

  const stops = () => model.get("story").stops ?? [];

  function set(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  function onChoose() {
    if (choose.value) model.send({ kind: "choose", name: choose.value });
    choose.value = "";
  }

  /** Next first answers an open question: a clicker has no other button. */
  function move(by) {
    if (by > 0 && box.open) return box.reveal();
    const to = model.get("stop") + by;
    if (to >= 0 && to < stops().length) set("stop", to);
  }

  /** Moves the player to a step, as soon as it has a record with that step. */
  function seek(step, since = performance.now()) {
    cancelAnimationFrame(waiting);
    const player = playerNear(el);
    if (player && player.timeline.length >= step && player.timeline.length > 0) {
      if (player.time !== step) globalThis.dispatchEvent(new CustomEvent("warplens:seek", { detail: { event: step } }));
      return;
    }
    if (performance.now() - since < PATIENCE) waiting = requestAnimationFrame(() => seek(step, since));
  }

  function showStop() {
    const [story, at] = [model.get("story"), model.get("stop")];
    const stop = stops()[at];
    shown.hidden = !stop;
    root.classList.toggle("wy-on", Boolean(stop));
    if (!stop) {
      highlight.clear();
      box.show(null);
      announce(null);
      return;
    }
    const { table } = stop;
    setText(title, story.title);
    setText(place, `stop ${at + 1} of ${stops().length}${story.minutes && !at ? ` · ${story.minutes} minutes` : ""}`);
    setText(caption, table.caption);
    words.hidden = !stop.words?.length;
    words.replaceChildren(
      ...(stop.words ?? []).map(([word, meaning]) => element("li", {}, element("b", {}, word), `: ${meaning}`)),
    );
    setText(notes, table.notes ?? "");
    noted.hidden = !table.notes;
    back.disabled = at === 0;
    next.disabled = at === stops().length - 1 && !(model.get("asks") && stop.question);
    box.show(model.get("asks") ? stop.question : null);
    seek(table.step);
    highlight.show({ ...table.look, beside: stop.beside });
    announce({ title: story.title, stop: at + 1, stops: stops().length, caption: table.caption, notes: table.notes ?? "", look: table.look });
  }

  function announce(detail) {
    said = detail;
    globalThis.dispatchEvent(new CustomEvent("warplens:stop", { detail }));
  }

  function showTools() {
    const playing = stops().length > 0;
    const offered = model.get("offered");
    choose.replaceChildren(
      element("option", { value: "" }, "Stories …"),
      ...offered.map(({ name, title, minutes }) =>
        element("option", { value: name }, minutes ? `${title} (${minutes} min)` : title),
      ),
    );
    choose.hidden = !offered.length;
    asks.checked = model.get("asks");
    again.hidden = playing || !asks.checked;
    recorder.allow(model.get("recording"));
    if (model.get("recording")) recorder.offer(model.get("origin"), stops().map(({ table }) => table), model.get("story").title);
  }

  const onStory = () => {
    showTools();
    showStop();
  };
  const onAsks = () => {
    showTools();
    if (stops().length) box.show(asks.checked ? stops()[model.get("stop")].question : null);
    else box.show(null);
  };
  const onQuestion = () => {
    const question = model.get("question");
    if (question.ask && asks.checked && !stops().length) box.show(question);
  };

  /** A clicker's keys belong to the story while one is shown, wherever the focus is. */
  const onKey = (event) => {
    if (!stops().length || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("textarea, select, dialog, input:not([type=range]):not([type=checkbox])")) return;
    const by = { PageDown: 1, PageUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    move(by);
  };
  /** A click on the picture answers; it does nothing else then. */
  const onClick = (event) => {
    const stage = event.target.closest?.(".wp-stage");
    if (!stage || !box.open || event.target.closest("button")) return;
    const player = playerNear(el);
    if (player?.stage.root !== stage) return;
    const vertex = player.stage.view.pick(...player.stage.pixel(event));
    if (vertex >= 0) box.answerVertex(vertex);
  };

  const watched = { story: onStory, stop: showStop, asks: onAsks, question: onQuestion, origin: showTools };
  for (const [name, act] of Object.entries(watched)) model.on(`change:${name}`, act);
  const onWanted = () => announce(said);
  globalThis.addEventListener("warplens:wanted", onWanted);
  globalThis.addEventListener("keydown", onKey, true);
  globalThis.addEventListener("click", onClick, true);
  onStory();
  onQuestion();
  return () => {
    cancelAnimationFrame(waiting);
    for (const [name, act] of Object.entries(watched)) model.off(`change:${name}`, act);
    globalThis.removeEventListener("warplens:wanted", onWanted);
    globalThis.removeEventListener("keydown", onKey, true);
    globalThis.removeEventListener("click", onClick, true);
    highlight.clear();
  };
}
