// Whether a run meets the goals of a puzzle.

/** Names of goals for readers. */
const MEASURES = { sectors: "sectors of global memory", bank_conflicts: "bank conflicts" };

/** The goals with what a report says of them: [{name, text, met}]. */
export function judge(puzzle, report) {
  const { races, findings, results, schedules } = report;
  const none = (what, found) => (found ? `no ${what}: there ${found === 1 ? "is one" : `are ${found}`}` : `no ${what}`);
  const goals = [
    { name: "races", text: none("data race", races.length), met: !races.length },
    { name: "findings", text: none("other finding", findings.length), met: !findings.length },
    { name: "results", text: `the same result in ${schedules} schedules${results === 1 ? "" : `: there are ${results}`}`, met: results === 1 },
    { name: "result", ...rightness(puzzle, report) },
  ];
  for (const [name, most] of Object.entries(puzzle.most)) {
    const found = measure(report, name);
    goals.push({ name, text: `at most ${most.toLocaleString("en")} ${MEASURES[name]}: there are ${found.toLocaleString("en")}`, met: found <= most });
  }
  return goals;
}

/** A measure of all lines of the visitor's code. */
export function measure(report, name) {
  const counts = report.lines.filter(({ kind }) => name !== "sectors" || kind.startsWith("global"));
  return counts.reduce((sum, line) => sum + line[name], 0);
}

/** Whether the arrays hold what they should, and the first element that does not. */
function rightness(puzzle, report) {
  for (const [number, wanted] of Object.entries(puzzle.expected)) {
    const values = report.arrays[number]?.values;
    if (!values) return { met: false, text: "the right result: the array for it is missing" };
    const at = wanted.findIndex((value, k) => values[k] !== value);
    if (at >= 0) return { met: false, text: `the right result: element ${at} is ${values[at]}, not ${wanted[at]}` };
  }
  return { met: true, text: "the right result" };
}
