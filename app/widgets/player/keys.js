// Every key of the player, what it does, and the list that shows it.

import { element } from "../lib/dom.js";

const jump = (direction, what) => (player) => player.explorer.jump(direction, what);

/** `keys` as KeyboardEvent names them, with "Shift+" before letters and keys of more than one. */
const SHORTCUTS = [
  { show: "Space", keys: [" ", "k"], text: "play or pause", act: ({ playback }) => playback.toggle() },
  { show: "l", keys: ["l"], text: "loop: off, everything, this TURN", act: ({ playback }) => playback.nextLoop() },
  { show: "←", keys: ["ArrowLeft"], text: "back one event", act: ({ playback }) => playback.step(-1) },
  { show: "→", keys: ["ArrowRight"], text: "on one event", act: ({ playback }) => playback.step(1) },
  {
    show: "Shift ←",
    keys: ["Shift+ArrowLeft", "PageUp"],
    text: "back one TURN",
    act: ({ playback }) => playback.leap(-1),
  },
  {
    show: "Shift →",
    keys: ["Shift+ArrowRight", "PageDown"],
    text: "on one TURN",
    act: ({ playback }) => playback.leap(1),
  },
  { show: "Home", keys: ["Home"], text: "to the start", act: ({ playback }) => playback.moveTo(0) },
  { show: "End", keys: ["End"], text: "to the end", act: ({ playback }) => playback.moveTo(playback.length) },
  { show: "−", keys: ["-"], text: "slower", act: ({ playback }) => playback.faster(-1) },
  { show: "+", keys: ["+", "="], text: "faster", act: ({ playback }) => playback.faster(1) },
  { show: "p", keys: ["p"], text: "previous event of the log's choice", act: jump(-1, "chosen") },
  { show: "n", keys: ["n"], text: "next event of the log's choice", act: jump(1, "chosen") },
  { show: "Shift e", keys: ["Shift+e"], text: "previous event of the same kind", act: jump(-1, "kind") },
  { show: "e", keys: ["e"], text: "next event of the same kind", act: jump(1, "kind") },
  { show: "Shift v", keys: ["Shift+v"], text: "previous event of the pinned vertex", act: jump(-1, "vertex") },
  { show: "v", keys: ["v"], text: "next event of the pinned vertex", act: jump(1, "vertex") },
  { show: "Shift w", keys: ["Shift+w"], text: "previous event of the same warp", act: jump(-1, "warp") },
  { show: "w", keys: ["w"], text: "next event of the same warp", act: jump(1, "warp") },
  { show: "x", keys: ["x"], text: "pin the vertex that acts now", act: ({ explorer }) => explorer.pinActor() },
  { show: "Esc", keys: ["Escape"], text: "unpin the vertex", act: ({ explorer }) => explorer.pin(-1) },
  { show: "[", keys: ["["], text: "the loop begins here", act: ({ playback }) => playback.loopFrom() },
  { show: "]", keys: ["]"], text: "the loop ends here", act: ({ playback }) => playback.loopTo() },
  { show: "c", keys: ["c"], text: "light the current chain, or not", act: ({ explorer }) => explorer.toggleChain() },
  { show: "g", keys: ["g"], text: "open or close the event log", act: ({ explorer }) => explorer.toggleLog() },
  { show: "?", keys: ["?"], text: "this list", act: ({ help }) => help.open() },
];
const BY_KEY = new Map(SHORTCUTS.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut])));
/** Keys that the focused button or list handles itself. */
const OWN = { BUTTON: [" "], SUMMARY: [" "] };
/** Keys that move the replay wherever the focus is. Letters do so only in the player itself: people
 *  who speak to their computer type letters by accident. */
const PAGE_KEYS = new Set([" ", "ArrowLeft", "ArrowRight"]);
/** Elements to which these keys belong. */
const FIELDS = "input, select, textarea, dialog, [contenteditable], [role=slider], [role=tab], [role=listbox]";

/** Acts on a key; true if it was one of the player's. */
export function actOnKey(event, player) {
  const shortcut = BY_KEY.get(nameOf(event));
  if (!shortcut || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const { tagName, type } = event.target;
  if (tagName === "SELECT" || OWN[tagName]?.includes(event.key)) return false;
  if (tagName === "INPUT" && type !== "range") return false;
  if (event.target.closest?.("dialog")) return false;
  shortcut.act(player);
  event.preventDefault();
  return true;
}

/** Calls `act(event)` for the keys that belong to the page's replay while the focus is outside of
 *  `root()`. In a notebook, and beside other players, a player has only its own keys. Returns an undo. */
export function onPageKeys(root, act) {
  const listen = (event) => {
    const own = root();
    if (!own?.isConnected || event.defaultPrevented || !PAGE_KEYS.has(event.key)) return;
    if (!document.body.matches(".ws-page, .wp-page") || own.contains(event.target)) return;
    if (event.target.closest?.(FIELDS) || scrollsSideways(event)) return;
    if (OWN[event.target.tagName]?.includes(event.key)) return;
    act(event);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

/** Whether an arrow key scrolls what is focused, such as long lines of source. */
function scrollsSideways({ key, target }) {
  if (key === " " || target === document.body) return false;
  const { overflowX } = getComputedStyle(target);
  return target.scrollWidth > target.clientWidth && (overflowX === "auto" || overflowX === "scroll");
}

/** Letters go by the Shift key, not by capitals; "?" and "+" need it on some keyboards only. */
function nameOf({ key, shiftKey }) {
  const letter = /^[a-z]$/i.test(key);
  const plain = letter ? key.toLowerCase() : key;
  return shiftKey && (letter || key.length > 1) ? `Shift+${plain}` : plain;
}

/** The list of keys; `button` opens it. */
export class KeyHelp {
  /** `turn` is the family's name of an iteration. */
  constructor(turn) {
    const close = () => this.root.close();
    const rows = SHORTCUTS.flatMap(({ show, text }) => [
      element("dt", {}, element("kbd", {}, show)),
      element("dd", {}, text.replace("TURN", turn)),
    ]);
    this.button = element(
      "button",
      { type: "button", class: "wp-plain", title: "Keys (?)", "aria-haspopup": "dialog", onclick: () => this.open() },
      "Keys",
    );
    this.root = element(
      "dialog",
      { class: "wp-keys", "aria-label": "keyboard shortcuts" },
      element("h3", {}, "Keyboard"),
      element("dl", {}, ...rows),
      element("button", { type: "button", class: "wp-plain", onclick: close }, "Close (Esc)"),
    );
    this.root.addEventListener("click", (event) => event.target === this.root && close());
  }

  open() {
    const offered = this.button.getClientRects().length > 0; // a page may hide button and list
    if (offered && !this.root.open) this.root.showModal();
  }
}
