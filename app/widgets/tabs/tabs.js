// The tabs of a box of widgets.  Its panels are siblings, which arrive one by one.

import { TabList } from "../lib/tabs.js";

export function render({ model, el }) {
  const list = new TabList(model.get("label"), (index) => {
    model.set("chosen", index);
    model.save_changes();
  });
  el.append(list.root);
  const panels = () => [...(el.closest(".wv-tabbed")?.querySelectorAll(":scope > .wv-panel") ?? [])];
  const show = () => {
    list.show(model.get("texts"), model.get("offered"));
    list.select(model.get("chosen"), panels());
  };
  const arrived = new MutationObserver(show);
  const watch = () => {
    const box = el.closest(".wv-tabbed");
    if (!box) return void (waiting = requestAnimationFrame(watch));
    arrived.observe(box, { childList: true });
    show();
  };
  let waiting = requestAnimationFrame(watch);
  const watched = ["texts", "offered", "chosen"];
  for (const name of watched) model.on(`change:${name}`, show);
  show();
  return () => {
    cancelAnimationFrame(waiting);
    arrived.disconnect();
    for (const name of watched) model.off(`change:${name}`, show);
  };
}
