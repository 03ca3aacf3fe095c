// Tells the kernel whether the page is dark.
function render({ model, el }) {
  el.style.display = "none";
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    model.set("dark", query.matches);
    model.save_changes();
  };
  query.addEventListener("change", tell);
  tell();
  return () => query.removeEventListener("change", tell);
}

export default { render };
