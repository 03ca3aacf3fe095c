// Names along a rail, none over another one.

/**
 * Moves names in a row as little as needed, so that none covers another one and all are within `width`.
 *
 * Each has its middle `x` and half of its width. Where there is no room for all, the last ones stay.
 */
export function inARow(names, width) {
  const room = (kept) => kept.reduce((sum, { half }) => sum + 2 * half, 0);
  let first = 0;
  while (room(names.slice(first)) > width) first += 1;
  const groups = []; // names that touch each other
  for (const one of names.slice(first).sort((a, b) => a.x - b.x)) {
    let group = within({ names: [one], left: one.x - one.half, wide: 2 * one.half }, width);
    while (groups.length && groups.at(-1).left + groups.at(-1).wide > group.left) {
      group = within(joined(groups.pop(), group), width);
    }
    groups.push(group);
  }
  return groups.flatMap(({ names: row, left }) => row.map((one) => {
    const x = left + one.half;
    left += 2 * one.half;
    return { ...one, x };
  }));
}

/** Two groups as one, where its names move least. */
function joined(one, other) {
  const counts = [one.names.length, other.names.length];
  const left = (counts[0] * one.left + counts[1] * (other.left - one.wide)) / (counts[0] + counts[1]);
  return { names: [...one.names, ...other.names], left, wide: one.wide + other.wide };
}

function within(group, width) {
  return { ...group, left: Math.max(0, Math.min(width - group.wide, group.left)) };
}
