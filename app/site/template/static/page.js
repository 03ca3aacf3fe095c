// A dashboard page's states: a skeleton until the widgets are ready, and a banner when the page
// process is gone. Voila itself shows nothing when that process dies.
(function () {
  "use strict";

  const POLL_MS = 20000;
  const SLOW_MS = 25000;
  let gone = false;

  // The steps of loading; the frame shows the first at once.
  const STEPS = [
    "Starting the process behind this page",
    "The process draws the page",
    "Loading the scripts of the page",
    "Connecting to the process",
    "Building the controls",
  ];
  let reached = 1;

  function reach(step) {
    if (step <= reached) return;
    reached = step;
    const bar = document.getElementById("ws-skeleton-bar");
    if (!bar) return;
    bar.value = step;
    document.getElementById("ws-skeleton-text").textContent = STEPS[step - 1];
  }

  function banner(text, offerReload) {
    const element = document.getElementById("ws-banner");
    if (!element) return;
    element.textContent = text + " ";
    if (offerReload) {
      const button = document.createElement("button");
      button.textContent = "Open it again";
      button.addEventListener("click", () => window.location.reload());
      element.append(button);
    }
    element.hidden = false;
  }

  function kernelGone(text) {
    if (gone) return;
    gone = true;
    document.body.classList.add("ws-gone");
    banner(text, true);
  }

  // The connection reports its state only as debug messages.
  const debug = console.debug.bind(console);
  console.debug = function (...words) {
    if (/^Kernel: (autorestarting|dead)/.test(String(words[0]))) {
      kernelGone("The process behind this page has died. The content of the page can still be read and played.");
    }
    if (/^Starting WebSocket/.test(String(words[0]))) reach(4);
    debug(...words);
  };

  async function poll(address) {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (answer.status === 404) {
        kernelGone("This page was not used for a while, so its process was ended. The content of the page can still be read and played.");
      } else if (!gone) {
        document.getElementById("ws-banner").hidden = true;
      }
    } catch {
      if (!gone) banner("The server does not answer. Is it still running?", false);
    }
  }

  function watchKernel() {
    const element = document.getElementById("jupyter-config-data");
    if (!element) return;
    const config = JSON.parse(element.textContent);
    const address = `${config.baseUrl}api/kernels/${config.kernelId}`;
    setInterval(() => { if (!gone) poll(address); }, POLL_MS);
    // A laptop that wakes up checks at once.
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !gone) poll(address); });
  }

  function watchWidgets() {
    // The frame is inserted before its content; the Run button comes last.
    const ready = () => document.querySelector(".ws-app.ws-failed, .ws-app .ws-run") !== null;
    const reveal = () => {
      observer.disconnect();
      clearTimeout(slow);
      document.getElementById("ws-skeleton")?.remove();
      document.body.classList.add("ws-ready");
    };
    const observer = new MutationObserver(() => {
      if (ready()) return reveal();
      if (document.querySelector(".ws-app")) reach(5);
      else if (document.getElementById("jupyter-config-data")) reach(2);
    });
    const slow = setTimeout(() => {
      const text = document.getElementById("ws-skeleton-text");
      if (text) text.textContent = "This takes longer than usual; the server's log may say why";
    }, SLOW_MS);
    // A widget may get its classes after it was inserted.
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["class"] });
  }

  // The page is sent in parts: its frame at once, the rest when the process is ready.
  new MutationObserver((_, frame) => {
    if (!document.body) return;
    frame.disconnect();
    watchWidgets();
  }).observe(document.documentElement, { childList: true });
  document.addEventListener("DOMContentLoaded", () => {
    reach(3);
    watchKernel();
  });
})();
