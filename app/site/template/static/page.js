// The life of a dashboard page: the skeleton until the widgets are there, and a banner when the
// kernel behind the page is gone. A kernel that dies leaves no trace on a Voila page otherwise.
(function () {
  "use strict";

  const POLL_MS = 20000;
  const SLOW_MS = 25000;
  let gone = false;

  // What has been reached while the page loads; the frame with the first of them is there at once.
  const STEPS = [
    "Starting the process behind this page",
    "The process draws the page",
    "Loading the program of the page",
    "Connecting to the process",
    "Putting the controls together",
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

  // The kernel connection tells its state nowhere but here.
  const debug = console.debug.bind(console);
  console.debug = function (...words) {
    if (/^Kernel: (autorestarting|dead)/.test(String(words[0]))) {
      kernelGone("The process behind this page has died. What is on the page can still be read and played.");
    }
    if (/^Starting WebSocket/.test(String(words[0]))) reach(4);
    debug(...words);
  };

  async function poll(address) {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (answer.status === 404) {
        kernelGone("This page was not used for a while and its process was ended. What is on the page can still be read and played.");
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
    // A laptop that was asleep should hear it at once.
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !gone) poll(address); });
  }

  function watchWidgets() {
    // The frame comes before what is in it; the last of the controls tells that all is there.
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

  // The page arrives in parts: its frame at once, the rest when the process is up.
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
