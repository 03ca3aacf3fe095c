// The arrangement of a page: the controls fold away, also for a story, which needs none of them; and on
// a narrow screen Run leads to the player.
(function () {
  "use strict";

  const KEY = "warplens-folded";
  /** Up to this width the player is below the controls; app.css has the same. */
  const NARROW = "(max-width: 760px)";

  let inStory = false; // whether a story is shown

  /** A browser that stores nothing forgets the choice. */
  function stored(value) {
    try {
      if (value === undefined) return localStorage.getItem(KEY) === "1";
      localStorage.setItem(KEY, value ? "1" : "0");
    } catch { /* not allowed */ }
    return false;
  }

  function fold(button, folded) {
    document.body.classList.toggle("ws-folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
    button.title = folded ? "Show the controls" : "Hide the controls";
  }

  function toPlayer() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.querySelector(".ws-stage")?.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".ws-fold");
    // Not every page has controls.
    const ready = new MutationObserver(() => {
      if (!document.querySelector(".ws-side")) return;
      ready.disconnect();
      button.hidden = false;
      fold(button, stored());
    });
    ready.observe(document.body, { childList: true, subtree: true, attributeFilter: ["class"] });
    addEventListener("warplens:stop", ({ detail }) => {
      const now = Boolean(detail);
      if (now !== inStory) fold(button, now || stored());
      inStory = now;
    });
    button.addEventListener("click", () => {
      const folded = !document.body.classList.contains("ws-folded");
      fold(button, folded);
      stored(folded);
    });
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(".ws-run") && matchMedia(NARROW).matches) toPlayer();
  });
})();
