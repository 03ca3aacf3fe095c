// A student's page: the run in a frame that follows the lecturer, and the question to the class.
"use strict";

(() => {
  const byId = (name) => document.getElementById(name);
  const [frame, state, follow] = ["run", "state", "follow"].map(byId);
  const here = location.pathname.replace(/\/+$/, "");
  const PATIENCE = [500, 1000, 2000, 4000, 8000];
  let following = true;
  let ready = false;
  let run = -1;
  let step = 0;
  let pointed = {}; // the caption of the lecturer's stop, and what is ringed
  let tries = 0;
  let socket = null;
  let over = false;

  /** The cookie of this page says whose seat it is. */
  function connect() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${here}/live`);
    socket.onopen = () => (tries = 0);
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (over) return;
      if (code === 4404) return finish("This class is over.");
      if (code >= 4400) return finish(`The server closed the connection: ${reason}.`);
      say("The connection is lost; trying again …");
      setTimeout(connect, PATIENCE[Math.min(tries++, PATIENCE.length - 1)] * (0.75 + Math.random() / 2));
    };
  }

  function finish(text) {
    over = true;
    say(text);
    follow.hidden = true;
    byId("question").hidden = true;
  }

  function take(message) {
    if (message.kind === "over") return finish("The class is over. You can go on with the run.");
    if (message.kind === "point") return point(message);
    step = message.step;
    if (message.kind === "state") {
      if (message.run !== run) show(message.run);
      ask(message.question);
      describe();
    }
    if (following) seek();
  }

  /** Loads the run, also another one. */
  function show(number) {
    run = number;
    ready = false;
    point({});
    frame.src = `${here}/run?run=${number}`;
  }

  function seek() {
    tell("seek", { step });
  }

  function point(message) {
    pointed = message;
    byId("caption").textContent = message.caption ?? "";
    look();
  }

  /** Who looks around alone is not led by rings. */
  function look() {
    const { vertices = [], edges = [], warps = [], lanes = null } = following ? pointed : {};
    tell("look", { vertices, edges, warps, lanes });
  }

  function tell(what, more) {
    if (ready) frame.contentWindow.postMessage({ type: `warplens:${what}`, ...more }, "*");
  }

  // The frame has no origin; what it says is a step, and is trusted no further.
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !Number.isInteger(data?.step)) return;
    if (data.type === "ready") {
      ready = true;
      if (following) seek();
      look();
    }
    if (data.type !== "moved") return;
    if (following && data.own) set(false);
    document.body.dataset.step = data.step;
  });

  function set(on) {
    following = on;
    follow.textContent = on ? "Look around by myself" : "Follow the lecturer";
    follow.classList.toggle("away", !on);
    describe();
    look();
    if (on) seek();
  }

  function describe() {
    if (!over) say(following ? "You see what the lecturer shows." : "You look around by yourself.");
  }

  function say(text) {
    state.textContent = text;
  }

  function ask(question) {
    byId("question").hidden = !question;
    if (!question) return;
    const { number, choices, yours, right, because, counts } = question;
    const known = right !== undefined;
    byId("ask").textContent = question.ask;
    byId("choices").replaceChildren(
      ...choices.map((text, choice) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.disabled = known;
        button.setAttribute("aria-pressed", String(yours === choice));
        button.classList.toggle("yours", yours === choice);
        button.classList.toggle("right", right === choice);
        if (counts) {
          const count = document.createElement("small");
          count.textContent = String(counts[choice]);
          button.append(count);
        }
        button.onclick = () => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ kind: "answer", question: number, choice }));
        };
        return button;
      }),
    );
    byId("verdict").textContent = known
      ? `${yours === right ? "Right." : yours === null ? "" : `Not ${choices[yours]}.`} The answer: ${choices[right]}. ${because}`.trim()
      : yours === null ? "" : "Your answer counts; you can change it until the lecturer shows the answer.";
  }

  follow.onclick = () => set(!following);
  connect();
})();
