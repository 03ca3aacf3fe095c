// Sends whether the page is dark, and whether the window is narrow.
function render({ model, el }) {
  el.style.display = "none";
  const root = document.documentElement;
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  const narrow = window.matchMedia("(max-width: 700px)");
  const report = () => {
    // The visitor's choice overrides the system's setting.
    model.set("dark", root.dataset.theme ? root.dataset.theme === "dark" : query.matches);
    model.set("narrow", narrow.matches);
    model.save_changes();
  };
  for (const one of [query, narrow]) one.addEventListener("change", report);
  const observer = new MutationObserver(report);
  observer.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  report();
  // All widgets listen by now; the page process resends state that changed before.
  model.send({ kind: "here" });
  return () => {
    for (const one of [query, narrow]) one.removeEventListener("change", report);
    observer.disconnect();
  };
}

export default { render };
