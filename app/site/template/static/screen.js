// The arrangement of a page: the form folds away, at first where a run plays already, and for a story,
// which needs none of it; and on a narrow screen Run leads to the player.
(function () {
  "use strict";

  /** Up to this width the player is below the controls; app.css has the same. */
  const NARROW = "(max-width: 760px)";

  let inStory = false; // whether a story is shown

  /** A browser that stores nothing forgets the choice. */
  function stored(value) {
    const plays = "plays" in document.body.dataset;
    const key = plays ? "warplens-folded" : "warplens-folded-form";
    try {
      if (value === undefined) return (localStorage.getItem(key) ?? (plays ? "1" : "0")) === "1";
      localStorage.setItem(key, value ? "1" : "0");
    } catch { /* not allowed */ }
    return plays;
  }

  function fold(button, folded) {
    document.body.classList.toggle("ws-folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
    button.title = folded ? "Change what runs" : "Hide the form";
  }

  function toPlayer() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.querySelector(".ws-stage")?.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".ws-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
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
