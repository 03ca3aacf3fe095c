// A choice of versions below the title, where several are hosted side by side (tools/docs.py).
document.addEventListener("DOMContentLoaded", () => {
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const list = document.createElement("script");
  list.src = new URL("../versions.js", root).href;
  list.onload = () => {
    const versions = window.warplensVersions ?? [];
    if (versions.length < 2) return;
    const choice = document.createElement("select");
    choice.className = "ws-versions";
    choice.ariaLabel = "Version";
    const own = root.pathname.split("/").at(-2);
    for (const name of versions) choice.add(new Option(name, name, false, name === own));
    // Other versions may lack this page, so the choice leads to their first one.
    choice.onchange = () => location.assign(new URL(`../${choice.value}/index.html`, root));
    document.querySelector(".sidebar-brand")?.after(choice);
  };
  document.head.append(list);
});
