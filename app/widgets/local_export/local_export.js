// The place for exports of a page without one run: charts, and of runs side by side the one that is chosen.

import { group, localFiles } from "../export_bar/files.js";
import { element } from "../lib/dom.js";

const WAIT = 200; // milliseconds until changes of the page are looked at

export function render({ model, el }) {
  const words = element("span", { class: "wt-words", role: "status" });
  const together = () => globalThis.__warplens?.together;
  const runs = element("select", { class: "wt-button", "aria-label": "Run to export" });
  const page = () => el.closest(".ws-page") ?? document.body;
  const files = localFiles({
    page,
    player: () => together()?.views[runs.selectedIndex],
    name: () => model.get("name"),
    say: (text) => (words.textContent = text),
  });
  const ofRuns = [group("Picture", runs, ...files.picture), group("Warps over time", ...files.warps)];
  const root = element(
    "section",
    { class: "wt", "aria-label": "Export" },
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

  // Other charts or runs are other elements of the page; a plot is there a little later than its box.
  let soon = null;
  const changed = new MutationObserver(() => {
    soon ??= setTimeout(() => {
      soon = null;
      list();
    }, WAIT);
  });
  const seen = new IntersectionObserver(() => {
    changed.observe(page(), { childList: true, subtree: true });
    list();
  });
  el.append(root);
  seen.observe(root);
  return () => {
    seen.disconnect();
    changed.disconnect();
    clearTimeout(soon);
  };
}
