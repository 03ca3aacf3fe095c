// A run in words: for those who cannot see the picture, and for a search in an editor.

import { capitalised, counted, grouped } from "../lib/words.js";

/** Events of one text; a million sentences would be a file that few editors open. */
const MOST = 200_000;

/** The text of a player's run: every event in order, with its iteration and warp, then the result. */
export function transcriptOf({ meta, events, timeline, measuresAt, sentence }) {
  const { length } = timeline;
  const count = Math.min(length, MOST);
  const lines = [meta.title, `${counted(length, "event")}.`];
  const inTurns = events.iteration.some((iteration) => iteration !== events.iteration[0]);
  if (!inTurns) lines.push("");
  let iteration = -1;
  for (let event = 0; event < count; ++event) {
    if (inTurns && events.iteration[event] !== iteration) {
      iteration = events.iteration[event];
      lines.push("", `${capitalised(meta.turn)} ${iteration}`);
    }
    const rank = events.rank ? `rank ${events.rank[event]}, ` : "";
    lines.push(`${grouped(event + 1)} (${rank}warp ${events.warp[event]}): ${sentence(event)}`);
  }
  if (count < length) lines.push("", `The text ends here; ${counted(length - count, "event")} more: see the event log.`);
  lines.push("", `At the end: ${measuresAt(length)}`);
  return `${lines.join("\n")}\n`;
}

/** Saves a text as a file of the visitor. */
export function saveText(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
