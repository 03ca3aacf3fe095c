// The kernels of a source and their parameters, read from the text: the launch form needs them
// before anything is compiled. What the compiler says later decides.

/** NumPy's names of C's types. */
const TYPES = {
  bool: "bool", char: "int8", "signed char": "int8", "unsigned char": "uint8", uint8_t: "uint8", int8_t: "int8",
  short: "int16", "unsigned short": "uint16", int16_t: "int16", uint16_t: "uint16",
  int: "int32", "unsigned int": "uint32", unsigned: "uint32", int32_t: "int32", uint32_t: "uint32",
  long: "int64", "unsigned long": "uint64", "long long": "int64", "unsigned long long": "uint64",
  int64_t: "int64", uint64_t: "uint64", size_t: "uint64", float: "float32", double: "float64",
};

/** The kernels with their parameters: [{name, template, parameters: [{name, type, array, constant}]}]. */
export function kernelsOf(source) {
  const text = withoutComments(source);
  const head = /(template\s*<[^{};]*>\s*)?(?:extern\s+"C"\s+)?(?:static\s+)?__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(([^)]*)\)\s*\{/g;
  return [...text.matchAll(head)].map(([, template, name, inside]) => ({
    name,
    template: Boolean(template),
    parameters: inside.trim() ? inside.split(",").map(parameter) : [],
  }));
}

/** What an argument is if the reader says nothing: as "auto" of `warplens watch`. */
export function automatic({ type, array, constant }, threads) {
  if (!type) return "auto";
  if (array) return `${constant ? "iota" : "zeros"}:${type}:${threads}`;
  return type === "bool" || type.startsWith("float") ? (type === "bool" ? "true" : "1.0") : String(threads);
}

function parameter(text) {
  const words = text.replace(/=.*$/s, "").replace(/\b(?:__restrict__|volatile|struct)\b/g, " ");
  const [, name = ""] = /(\w+)\s*(?:\[[^\]]*\])?\s*$/.exec(words) ?? [];
  const before = words.slice(0, words.lastIndexOf(name));
  const array = /[*[]/.test(before) || /\[[^\]]*\]\s*$/.test(words);
  const base = before.replace(/[*&[\]]/g, " ").replace(/\bconst\b/g, " ").trim().replace(/\s+/g, " ");
  const constant = /\bconst\b/.test(before.split("*")[0]); // what it points to, not the pointer
  return { name, type: TYPES[base] ?? TYPES[base.replace(/ int$/, "")] ?? "", array, constant };
}

/** Comments become blanks; what looks like one in a string of the code stays. */
function withoutComments(source) {
  return source.replace(/"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found[0] === '"' ? found : " "));
}
