// Tells the kernel whether the page is dark.
function render({ model, el }) {
  el.style.display = "none";
  const root = document.documentElement;
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    // What the visitor chose comes before what the system asks for.
    model.set("dark", root.dataset.theme ? root.dataset.theme === "dark" : query.matches);
    model.save_changes();
  };
  query.addEventListener("change", tell);
  const observer = new MutationObserver(tell);
  observer.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  tell();
  // All widgets listen by now; what changed before is said again.
  model.send({ kind: "here" });
  return () => {
    query.removeEventListener("change", tell);
    observer.disconnect();
  };
}

export default { render };
