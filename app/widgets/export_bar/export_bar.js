// The place for exports: copy a link, save record, picture, animation or page, warps and charts. This
// module is the same for all families.

import { element } from "../lib/dom.js";
import { button, group, localFiles, save } from "./files.js";
import { pixelsOf } from "./picture.js";

const FRAME_WIDTH = 820; // pixels of an animation, at most

/** The player of this page and its element. */
function findPlayer(near) {
  const root = (near.closest(".ws-stage") ?? document).querySelector(".wp");
  const player = globalThis.__warplens?.players.find((other) => other.root === root);
  return player && root ? player : null;
}

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

/** Waits two frames; by then the player has drawn its position. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Up to `most` events from `first` to `last`, both included. */
export function spread(first, last, most) {
  const count = Math.min(most, last - first + 1);
  if (count < 2) return [first];
  return Array.from({ length: count }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}

export function render({ model, el }) {
  const say = (text) => (words.textContent = text);
  let busy = false;
  let stopped = false;

  const ask = (kind, more = {}) => {
    say("Preparing the file …");
    model.send({ kind, ...more });
  };

  async function copyLink() {
    const player = findPlayer(el);
    const { origin, pathname } = window.location;
    const address = `${origin}${pathname}?${model.get("query")}&step=${player?.time ?? 0}`;
    field.hidden = false;
    field.value = address;
    field.select();
    try {
      // Away from localhost a page without https has no clipboard.
      if (navigator.clipboard) await navigator.clipboard.writeText(address);
      else if (!document.execCommand("copy")) throw new Error("no clipboard");
      say("The link is copied: it opens this run at this event.");
    } catch {
      say("Copy the link from the field.");
    }
  }

  async function saveAnimation() {
    const player = findPlayer(el);
    if (!player || busy) return;
    const length = player.timeline.length;
    // A field without a number stands for its end of the run.
    const bounded = ({ valueAsNumber: value }, none) => Math.max(0, Math.min(length, Number.isNaN(value) ? none : value));
    const [first, last] = [bounded(from, 0), bounded(to, length)].sort((one, other) => one - other);
    const times = spread(first, last, model.get("frames"));
    const before = player.time;
    const milliseconds = Math.max(50, Math.min(600, Math.round(12_000 / times.length)));
    busy = true;
    stopped = false;
    go.textContent = "Stop";
    model.send({ kind: "gif", count: times.length, milliseconds });
    try {
      for (const [index, time] of times.entries()) {
        if (stopped) return say("Stopped.");
        say(`Frame ${index + 1} of ${times.length}`);
        player.seek(time);
        player.effects.rest(time - 1); // a picture shows one completed event
        await drawn();
        const width = player.root.querySelector(".wp-stage").clientWidth;
        const canvas = pixelsOf(player, model.get("name"), Math.min(1, FRAME_WIDTH / width));
        const blob = await blobOf(canvas);
        model.send({ kind: "frame" }, undefined, [await blob.arrayBuffer()]);
      }
      say("Joining the frames …");
    } finally {
      busy = false;
      go.textContent = "Make GIF";
      player.seek(before);
    }
  }

  const link = button("Copy link", "", copyLink);
  const record = button("Save record", "The run as a file (.npz) that opens here, or in Python", () =>
    ask("record"),
  );
  const html = button("HTML page", "One file that plays without a server and without a network", () =>
    ask("page", { position: findPlayer(el)?.time ?? 0 }),
  );
  const gif = button("GIF …", "An animation of a range of events", () => {
    range.hidden = !range.hidden;
    const length = findPlayer(el)?.timeline.length ?? 0;
    from.max = to.max = length;
    from.value = 0;
    to.value = length;
  });
  const page = () => el.closest(".ws-page") ?? document.body;
  const files = localFiles({ page, player: () => findPlayer(el), name: () => model.get("name"), say });
  const number = (label) => element("input", { type: "number", min: 0, step: 1, "aria-label": label });
  const from = number("First event of the animation");
  const to = number("Last event of the animation");
  const go = button("Make GIF", "", () => {
    if (busy) stopped = true;
    else saveAnimation();
  });
  const most = `at most ${model.get("frames")} frames`;
  const range = element(
    "div",
    { class: "wt-range", hidden: true },
    element("span", {}, "Events"),
    from,
    element("span", {}, "to"),
    to,
    element("span", { class: "wt-soft" }, most),
    go,
  );
  const field = element("input", { class: "wt-link", type: "text", readonly: true, hidden: true, "aria-label": "Link" });
  const words = element("span", { class: "wt-words", role: "status" });
  const local = [...files.picture, ...files.warps, ...files.charts];
  const root = element(
    "section",
    { class: "wt", "aria-label": "Export" },
    group("Run", link, record, html),
    group("Picture", ...files.picture, gif),
    group("Warps over time", ...files.warps),
    group("Charts", ...files.charts),
    words,
    range,
    field,
  );
  el.append(root);
  // Charts are drawn later than the player, and again when the form changes.
  root.addEventListener("pointerenter", files.list);
  const seen = new IntersectionObserver(files.list);
  seen.observe(root);

  const show = () => {
    const playing = model.get("playing");
    for (const each of [record, html, gif, ...local]) each.disabled = !playing;
    link.disabled = !model.get("query");
    link.title = model.get("query") ? "An address that opens this run at this event" : model.get("reason");
    root.hidden = !playing && !model.get("query");
    field.hidden = range.hidden = true;
    say("");
  };
  const onMessage = (content, buffers) => {
    if (content.kind === "refused") {
      stopped = true;
      say("");
    }
    if (content.kind !== "file") return;
    save(buffers[0], content.name, content.type);
    say(`${content.name} is saved.`);
  };

  model.on("change:playing", show);
  model.on("change:query", show);
  model.on("change:name", show);
  model.on("msg:custom", onMessage);
  show();
  model.set("search", window.location.search);
  model.save_changes();
  return () => {
    stopped = true;
    seen.disconnect();
    model.off("change:playing", show);
    model.off("change:query", show);
    model.off("change:name", show);
    model.off("msg:custom", onMessage);
  };
}
