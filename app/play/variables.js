// The variables of a kernel's source (__device__, __constant__) in LLVM's text, which the translation
// marks as used: they get names outside of the module, and beside each stands its size.

const USED = /^@llvm\.(?:compiler\.)?used = .*?\[((?:ptr @[\w.$"]+(?:, )?)+)\]/gm;
const GLOBAL = /^@([\w.$]+) = internal (.*?)\bglobal (.*)$/;

// Returns the text, and [{symbol, size}] with the symbols of each variable that a kernel may write.
export function named(text) {
  const used = new Set();
  for (const [, list] of text.matchAll(USED)) {
    for (const [, symbol] of list.matchAll(/@([\w.$]+)/g)) used.add(symbol);
  }
  const found = [];
  const lines = text.split('\n').flatMap((line) => {
    const match = used.size && line.match(GLOBAL);
    if (!match || !used.has(match[1])) return [line];
    const [, symbol, attributes, rest] = match;
    const size = `simt_size_${found.length}`;
    found.push({ symbol, size });
    const bytes = `ptrtoint (ptr getelementptr (${typeOf(rest)}, ptr null, i32 1) to i32)`;
    return [`@${symbol} = ${attributes}global ${rest}`, `@${size} = constant i32 ${bytes}`];
  });
  return { text: lines.join('\n'), variables: found };
}

// The type at the beginning of "[64 x i32] zeroinitializer, align 16".
function typeOf(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('[{<('.includes(text[at])) depth += 1;
    else if (']}>)'.includes(text[at])) depth -= 1;
    else if (text[at] === ' ' && depth === 0) return text.slice(0, at);
  }
  return text;
}
