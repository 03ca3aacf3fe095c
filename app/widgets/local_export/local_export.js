// The place for exports of a page without one run: charts, and of runs side by side the one that is chosen.

import { group, localFiles } from "../export_bar/files.js";
import { element } from "../lib/dom.js";

export function render({ model, el }) {
  const words = element("span", { class: "wt-words", role: "status" });
  const together = () => globalThis.__warplens?.together;
  const runs = element("select", { class: "wt-button", "aria-label": "Run to export", onpointerdown: list, onfocus: list });
  const files = localFiles({
    page: () => el.closest(".ws-page") ?? document.body,
    player: () => together()?.views[runs.selectedIndex],
    name: () => model.get("name"),
    say: (text) => (words.textContent = text),
  });
  const ofRuns = [group("Picture", runs, ...files.picture), group("Warps over time", ...files.warps)];
  const root = element(
    "section",
    { class: "wt", "aria-label": "Export", onpointerenter: list },
    ...(model.get("runs") ? ofRuns : []),
    ...(model.get("charts") ? [group("Charts", ...files.charts)] : []),
    words,
  );

  /** The runs and charts that the page has now. */
  function list() {
    files.list();
    const titles = together()?.meta.titles ?? [];
    if (titles.join("\n") === [...runs.options].map(({ text }) => text).join("\n")) return;
    runs.replaceChildren(...titles.map((title) => element("option", {}, title)));
  }

  el.append(root);
  const seen = new IntersectionObserver(list);
  seen.observe(root);
  return () => seen.disconnect();
}
