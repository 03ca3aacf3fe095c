// The theme: light, dark, or the system's. The visitor's choice is stored in this browser and is
// applied before the first paint. Colours are written light-dark(...), so a theme changes only the
// colour scheme of the root.
(function () {
  "use strict";

  const KEY = "warplens-theme";
  const CHOICES = [
    ["light", "Light", "M10 5.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8zM10 1v2.2M10 16.8V19M1 10h2.2M16.8 10H19M3.6 3.6l1.6 1.6M14.8 14.8l1.6 1.6M3.6 16.4l1.6-1.6M14.8 5.2l1.6-1.6"],
    ["dark", "Dark", "M16.8 12.1A7.3 7.3 0 0 1 7.9 3.2a7.3 7.3 0 1 0 8.9 8.9z"],
    ["system", "As the system", "M2.5 4h15v9.5h-15zM7 17h6M10 13.5V17"],
  ];
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // a browser may forbid storage, and a file has none
    }
  }

  function store(choice) {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // Without storage the choice holds for this page only.
    }
  }

  /** The colours that the address asks for, else those that the reader chose here. */
  function first() {
    const asked = new URLSearchParams(location.search).get("theme");
    return asked === "light" || asked === "dark" ? asked : stored();
  }

  function apply(choice) {
    const known = choice === "light" || choice === "dark";
    if (known) root.dataset.theme = choice;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      const chosen = button.dataset.themeChoice === (known ? choice : "system");
      button.setAttribute("aria-pressed", String(chosen));
    }
  }

  function button([choice, label, path]) {
    const element = document.createElement("button");
    element.type = "button";
    element.title = label;
    element.dataset.themeChoice = choice;
    element.setAttribute("aria-label", label);
    element.innerHTML = `<svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg>`;
    element.addEventListener("click", () => {
      store(choice);
      apply(choice);
    });
    return element;
  }

  apply(first());
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".ws-theme")?.replaceChildren(...CHOICES.map(button));
    apply(first());
  });
  // Other open pages apply the choice, too.
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) apply(event.newValue);
  });
})();
