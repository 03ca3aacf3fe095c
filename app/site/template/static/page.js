// A dashboard page's states: a skeleton until the widgets are ready, and a banner when the page
// process is gone. Voila itself shows nothing when that process dies.
(function () {
  "use strict";

  // Until the page is connected, each question after its process also shows that the browser is there.
  const POLL_MS = 3000;
  const SILENT_SECONDS = 10;
  const SLOW_MS = 25000;

  // ipywidgets waits two seconds for a widget. One that comes just then it calls lost, for good
  // (jupyter-widgets/ipywidgets#4026). The page is loaded again then, but not without end.
  const LOST = "Error displaying widget: model not found";
  const LOADED_AGAIN = "ws-loaded-again";
  const AGAIN_MS = 60000;
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
  let ask = () => {};
  const debug = console.debug.bind(console);
  console.debug = function (...words) {
    const text = String(words[0]);
    if (/^Kernel: (autorestarting|dead)/.test(text)) ask();
    if (/^Starting WebSocket/.test(text)) reach(4);
    debug(...words);
  };

  // Shows what the server says about the process behind the page.
  function show(state) {
    const element = document.getElementById("ws-banner");
    if (state.refusal) banner(state.refusal, true);
    else if (state.silent >= SILENT_SECONDS) {
      banner(`The process behind this page has not answered for ${state.silent} seconds; it may be busy.`, false);
    } else if (element) element.hidden = true;
  }

  async function poll(address) {
    if (gone) return;
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const state = await answer.json();
      if (gone) return;
      if (answer.status === 404) kernelGone(state.message);
      else if (answer.ok) show(state);
    } catch {
      if (!gone) banner("The server does not answer. Is it still running?", false);
    }
  }

  let watched = false;

  function watchKernel() {
    const element = document.getElementById("jupyter-config-data");
    if (!element || watched) return;
    let config;
    try { config = JSON.parse(element.textContent); } catch { return; } // it is still arriving
    watched = true;
    const address = `${config.baseUrl}api/kernels/${config.kernelId}`;
    ask = () => poll(address);
    ask();
    setInterval(() => { if (!document.hidden || !document.body.classList.contains("ws-ready")) ask(); }, POLL_MS);
    // A laptop that wakes up checks at once.
    document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  }

  function isLost() {
    return [...document.querySelectorAll(".jupyter-widgets")].some((node) => node.firstChild?.nodeValue === LOST);
  }

  function loadAgain() {
    const last = Number(sessionStorage.getItem(LOADED_AGAIN));
    if (Date.now() - last < AGAIN_MS) return banner("The browser lost a part of this page.", true);
    sessionStorage.setItem(LOADED_AGAIN, Date.now());
    window.location.reload();
  }

  function watchWidgets() {
    // The frame is inserted before its content; the Run button comes last.
    const ready = () => document.querySelector(".ws-app.ws-failed, .ws-app .ws-run, .ws-app .ws-paper h3") !== null;
    const reveal = () => {
      observer.disconnect();
      clearTimeout(slow);
      document.getElementById("ws-skeleton")?.remove();
      document.body.classList.add("ws-ready");
    };
    const observer = new MutationObserver(() => {
      if (ready()) return reveal();
      if (isLost()) {
        observer.disconnect();
        return loadAgain();
      }
      watchKernel();
      if (document.querySelector(".ws-app")) reach(5);
      else if (watched) reach(2);
    });
    const slow = setTimeout(() => {
      const text = document.getElementById("ws-skeleton-text");
      if (text) text.textContent = "This takes longer than usual; the server's log may say why";
    }, SLOW_MS);
    // A widget may get its classes after it was inserted.
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["class"] });
  }

  // The handles of sliders have no names of their own: each gets that of its field.
  function nameSliders(records) {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        for (const handle of node.querySelectorAll?.(".noUi-handle") ?? []) {
          const label = handle.closest(".widget-slider")?.querySelector(".widget-label");
          if (label) handle.setAttribute("aria-label", label.textContent);
        }
      }
    }
  }

  // The page is sent in parts: its frame at once, the rest when the process is ready.
  new MutationObserver((_, frame) => {
    if (!document.body) return;
    frame.disconnect();
    watchWidgets();
    new MutationObserver(nameSliders).observe(document.body, { childList: true, subtree: true });
  }).observe(document.documentElement, { childList: true });
  document.addEventListener("DOMContentLoaded", () => {
    reach(3);
    watchKernel();
    // Not a whole page: the server could not draw it.
    if (!watched) kernelGone("The server could not draw this page.");
  });
})();
