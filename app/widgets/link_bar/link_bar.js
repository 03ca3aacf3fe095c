// Copies a link to runs side by side, and moves their common clock to a link's place.

import { element, setText } from "../lib/dom.js";

/** The address of the runs; the common clock has the place. */
function address(query) {
  const together = globalThis.__warplens?.together;
  const place = new URLSearchParams({
    how: together?.transport.way.value ?? "",
    position: together?.clock.position ?? 0,
  });
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?${query}&${place}`;
}

async function copy(field) {
  field.select();
  try {
    // Away from localhost a page without https has no clipboard.
    await navigator.clipboard.writeText(field.value);
  } catch {
    return document.execCommand("copy");
  }
  return true;
}

/** Moves the clock to a place; the runs may arrive after this message. */
function go({ how, position }, refuse) {
  const { together } = globalThis.__warplens ?? {};
  if (!together?.root.isConnected || !together.clock.length) {
    requestAnimationFrame(() => go({ how, position }, refuse));
    return;
  }
  if (together.meta.alignments.some(([offered]) => offered === how)) {
    together.transport.way.value = how;
    together.align(how);
  }
  const { length } = together.clock;
  if (position > length) refuse({ position, length });
  else together.clock.moveTo(position);
}

export function render({ model, el }) {
  const field = element("input", {
    class: "wt-link",
    type: "text",
    readonly: true,
    hidden: true,
    "aria-label": "Link",
  });
  const words = element("span", { class: "wt-words", role: "status" });
  const onclick = async () => {
    field.hidden = false;
    field.value = address(model.get("query"));
    const copied = await copy(field);
    setText(words, copied ? "The link is copied: it opens these runs here." : "Copy the link from the field.");
  };
  const button = element("button", { type: "button", class: "wt-button", onclick }, "Copy link");
  el.append(element("div", { class: "wt" }, element("div", { class: "wt-buttons" }, button, words), field));

  const show = () => {
    button.disabled = !model.get("query");
    button.title = model.get("reason") || "An address that opens these runs at this position";
    field.hidden = true;
    setText(words, "");
  };
  const onMessage = (place) => go(place, (beyond) => model.send({ kind: "beyond", ...beyond }));
  for (const name of ["query", "reason"]) model.on(`change:${name}`, show);
  model.on("msg:custom", onMessage);
  show();
  model.set("search", window.location.search);
  model.save_changes();
  return () => {
    for (const name of ["query", "reason"]) model.off(`change:${name}`, show);
    model.off("msg:custom", onMessage);
  };
}
