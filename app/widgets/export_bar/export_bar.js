// Copy a link, save record, picture, animation or page. The pictures are copies of the
// player's canvases; this module is the same for all families.

const FRAME_WIDTH = 820; // pixels of an animation, at most
const CAPTION = 46; // pixels of text below the picture
const ROW = 20; // pixels of a row of the legend
const EDGE = 12;

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** The player of this page and its element. */
function findPlayer(near) {
  const root = (near.closest(".ws-stage") ?? document).querySelector(".wp");
  const player = globalThis.__warplens?.players.find((other) => other.root === root);
  return player && root ? player : null;
}

/** The player's picture, with legend and sentence below it, on one canvas. */
function picture(player, title, ratio) {
  const stage = player.root.querySelector(".wp-stage");
  const style = getComputedStyle(stage);
  const [width, height] = [stage.clientWidth, stage.clientHeight];
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const font = `12px ${style.fontFamily}`;
  context.font = font;
  const legend = placed(context, legendOf(player), width);
  const below = height + ROW * (legend.length ? legend.at(-1).row + 1 : 0);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round((below + CAPTION) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, below + CAPTION);
  for (const layer of stage.querySelectorAll("canvas.wp-layer")) {
    context.drawImage(layer, 0, 0, width, height);
  }
  context.textBaseline = "middle";
  context.font = font;
  for (const entry of legend) {
    drawEntry(context, entry, height + (entry.row + 0.5) * ROW, style.color, player.theme.warps);
  }
  caption(context, player, title, style, width, below);
  return canvas;
}

/** The visible entries of the legend: their texts and signs. */
function legendOf(player) {
  return [...player.root.querySelectorAll(".wp-legend li")]
    .filter((item) => item.getClientRects().length)
    .map((item) => {
      const sign = item.querySelector(".wp-sign");
      const text = item.textContent.trim();
      return { text, sign: sign && getComputedStyle(sign), line: sign && lineOver(sign) };
    });
}

/** The line that a style sheet draws over a sign, if there is one. */
function lineOver(sign) {
  const { content, borderTopColor, borderTopWidth } = getComputedStyle(sign, "::after");
  return content === "none" ? null : { colour: borderTopColor, width: parseFloat(borderTopWidth) };
}

/** Places entries side by side, in as many rows as needed. */
function placed(context, entries, width) {
  let [x, row] = [EDGE, 0];
  return entries.map((entry) => {
    const before = entry.sign ? parseFloat(entry.sign.width) + 7 : 90;
    const wide = before + context.measureText(entry.text).width + 16;
    if (x > EDGE && x + wide > width) [x, row] = [EDGE, row + 1];
    const place = { ...entry, x, row, words: x + before };
    x += wide;
    return place;
  });
}

/** Draws a sign as the page's style sheet defines it; without a sign, the warps' colours. */
function drawEntry(context, { text, sign, line, x, words }, y, colour, warps) {
  if (sign) drawSign(context, sign, x, y);
  else warps.forEach((warp, i) => drawDisc(context, x + 5 + 10.5 * i, y, 4.5, warp));
  if (line) {
    context.fillStyle = line.colour;
    context.fillRect(x - 2, y - line.width / 2, parseFloat(sign.width) + 4, line.width);
  }
  context.fillStyle = colour;
  context.globalAlpha = 0.8;
  context.fillText(text, words, y);
  context.globalAlpha = 1;
}

function drawSign(context, sign, x, y) {
  const [wide, tall, line] = [sign.width, sign.height, sign.borderTopWidth].map(parseFloat);
  context.strokeStyle = sign.borderTopColor;
  context.lineWidth = line;
  context.setLineDash(sign.borderTopStyle === "dashed" ? [3, 2.5] : []);
  if (tall < 4) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + wide, y);
  } else {
    const colours = sign.backgroundImage.match(/rgba?\([^)]*\)/g) ?? [sign.backgroundColor];
    if (wide > tall) drawBar(context, x, y, wide, tall, colours[0]);
    else {
      colours.forEach((colour, i) => drawDisc(context, x + wide / 2, y, wide / 2, colour, i / colours.length));
      context.beginPath();
      context.arc(x + wide / 2, y, wide / 2, 0, 2 * Math.PI);
    }
  }
  if (line) context.stroke();
  context.setLineDash([]);
}

/** A sign that is wider than high: a place in a list, an offer. */
function drawBar(context, x, y, wide, tall, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y - tall / 2, wide, tall, 2);
  context.fill();
}

/** A disc, or a sector of it from a part of a turn on. */
function drawDisc(context, x, y, radius, colour, from = 0) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, radius, (2 * from - 0.5) * Math.PI, 1.5 * Math.PI);
  context.fill();
}

function caption(context, player, title, style, width, height) {
  const text = (selector) => player.root.querySelector(selector)?.textContent ?? "";
  const place = text(".wp-counter").replace("\n", " · ");
  context.fillStyle = style.color;
  context.font = `600 13px ${style.fontFamily}`;
  context.fillText(text(".wp-now"), 12, height + 14, width - 24);
  context.globalAlpha = 0.7;
  context.font = `12px ${style.fontFamily}`;
  const line = [title, place, text(".wp-measures")].filter(Boolean).join("  ·  ");
  context.fillText(line, 12, height + 33, width - 24);
  context.globalAlpha = 1;
}

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Waits two frames; by then the player has drawn its position. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Up to `most` events from `first` to `last`, both included. */
export function spread(first, last, most) {
  const count = Math.min(most, last - first + 1);
  if (count < 2) return [first];
  return Array.from({ length: count }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}

function render({ model, el }) {
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

  async function savePicture() {
    const player = findPlayer(el);
    if (!player) return;
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    const blob = await blobOf(picture(player, model.get("name"), Math.max(ratio, 1.5)));
    save(blob, `${model.get("name")}-${player.time}.png`);
    say("The picture is saved.");
  }

  async function saveAnimation() {
    const player = findPlayer(el);
    if (!player || busy) return;
    const bounded = (input) => Math.max(0, Math.min(player.timeline.length, Number(input.value) || 0));
    const [first, last] = [bounded(from), bounded(to)].sort((one, other) => one - other);
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
        const canvas = picture(player, model.get("name"), Math.min(1, FRAME_WIDTH / width));
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

  const button = (text, title, onclick) =>
    make("button", { type: "button", class: "wt-button", title, onclick }, text);
  const link = button("Copy link", "", copyLink);
  const record = button("Save record", "The run as a file (.npz) that opens here, or in Python", () =>
    ask("record"),
  );
  const page = button("HTML page", "One file that plays without a server and without a network", () =>
    ask("page", { position: findPlayer(el)?.time ?? 0 }),
  );
  const png = button("PNG", "A picture of the current view", savePicture);
  const gif = button("GIF …", "An animation of a range of events", () => {
    range.hidden = !range.hidden;
    const length = findPlayer(el)?.timeline.length ?? 0;
    from.max = to.max = length;
    from.value = 0;
    to.value = length;
  });
  const number = (label) => make("input", { type: "number", min: 0, step: 1, "aria-label": label });
  const from = number("First event of the animation");
  const to = number("Last event of the animation");
  const go = button("Make GIF", "", () => {
    if (busy) stopped = true;
    else saveAnimation();
  });
  const most = `at most ${model.get("frames")} frames`;
  const range = make(
    "div",
    { class: "wt-range", hidden: true },
    make("span", {}, "Events"),
    from,
    make("span", {}, "to"),
    to,
    make("span", { class: "wt-soft" }, most),
    go,
  );
  const field = make("input", { class: "wt-link", type: "text", readonly: true, hidden: true, "aria-label": "Link" });
  const words = make("span", { class: "wt-words", role: "status" });
  const group = { class: "wt-buttons", role: "group", "aria-label": "save and share" };
  el.append(
    make("div", { class: "wt" }, make("div", group, link, record, png, gif, page, words), range, field),
  );

  const show = () => {
    const playing = model.get("playing");
    for (const each of [record, page, png, gif]) each.disabled = !playing;
    link.disabled = !model.get("query");
    link.title = model.get("query") ? "An address that opens this run at this event" : model.get("reason");
    el.firstChild.hidden = !playing && !model.get("query");
    field.hidden = range.hidden = true;
    say("");
  };
  const onMessage = (content, buffers) => {
    if (content.kind === "refused") {
      stopped = true;
      say("");
    }
    if (content.kind !== "file") return;
    save(new Blob([buffers[0]], { type: content.type }), content.name);
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
    model.off("change:playing", show);
    model.off("change:query", show);
    model.off("change:name", show);
    model.off("msg:custom", onMessage);
  };
}

export default { render };
