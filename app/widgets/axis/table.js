// The numbers behind the axis of warps, as a table.

import { DOING } from "./rows.js";

const NAMES = new Map(Object.entries(DOING).map(([name, number]) => [number, name.toLowerCase()]));

/** Every interval of every warp as comma-separated values; then, of no length, its atomic operations. */
export function tableOf(rows, noun, unit) {
  const of = unit ? ` (${unit})` : " (event)";
  const lines = [`${noun},begin${of},end${of},doing`];
  for (let warp = 0; warp < rows.warps; ++warp) {
    for (let i = rows.first[warp]; i < rows.first[warp + 1]; ++i) {
      const [begin, end] = [rows.time(rows.begin[i]), rows.time(rows.end[i])];
      lines.push(`${warp},${begin},${end},${NAMES.get(rows.doing[i])}`);
    }
    for (const event of rows.eventsOf(warp)) {
      if (rows.atomic[event]) lines.push(`${warp},${rows.time(event)},${rows.time(event)},atomic`);
    }
  }
  return `${lines.join("\n")}\n`;
}
