// The editor: CodeMirror with CUDA's words coloured and with marks at lines.

import { element } from "../widgets/lib/dom.js";

/** CUDA's own words: qualifiers, built-in variables, and functions. */
const CUDA =
  /\b(?:__(?:global|device|host|shared|constant|managed|restrict|forceinline|launch_bounds)__|(?:thread|block)Idx|(?:block|grid)Dim|warpSize|__(?:sync|shfl|any|all|ballot|match|activemask|threadfence|popc|ffs|clz)\w*|atomic[A-Z]\w*)\b/g;

export class Editor {
  /** `changed()` is called after every change of the text; `run()` when the reader asks by Ctrl+Enter. */
  constructor(parent, { changed, run }) {
    const { state, view, language, commands, lint, cpp } = globalThis.CodeMirror;
    this.lint = lint;
    const extensions = [
      view.lineNumbers(),
      view.highlightActiveLine(),
      view.highlightActiveLineGutter(),
      view.drawSelection(),
      commands.history(),
      language.indentUnit.of("    "),
      language.bracketMatching(),
      language.indentOnInput(),
      cpp.cpp(),
      language.syntaxHighlighting(colours()),
      words(view),
      lint.lintGutter(),
      view.EditorView.contentAttributes.of({ "aria-label": "CUDA code", spellcheck: "false", tabindex: "0" }),
      view.EditorView.updateListener.of((update) => update.docChanged && changed()),
      state.Prec.highest(view.keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
      view.keymap.of([...commands.defaultKeymap, ...commands.historyKeymap, ...lint.lintKeymap]),
    ];
    this.view = new view.EditorView({ parent, state: state.EditorState.create({ doc: "", extensions }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    const { view } = this;
    if (text !== this.text) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }

  /** Scrolls the editor, and nothing around it, so that a line can be seen. */
  reveal(line) {
    const { view } = this;
    const { doc } = view.state;
    const { top } = view.lineBlockAt(doc.line(Math.min(Math.max(line, 1), doc.lines)).from);
    view.scrollDOM.scrollTop = top - view.scrollDOM.clientHeight / 3;
  }

  focus() {
    this.view.focus();
  }

  /** Marks lines: [{line, severity, text}], "error", "warning" or "info"; line 0 is the first one. */
  mark(marks) {
    const { doc } = this.view.state;
    const diagnostics = marks.map(({ line, severity, text }) => {
      const { from, to, text: code } = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const indent = code.length - code.trimStart().length;
      return { from: from + indent, to, severity, message: text };
    });
    this.view.dispatch(this.lint.setDiagnostics(this.view.state, diagnostics));
  }

  /** Puts the cursor into a line and shows it. */
  goTo(line) {
    const { view } = this;
    const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.focus();
  }
}

/** A button that leads to a line of the code. */
export function lineButton(editor, line) {
  return element("button", { type: "button", class: "pl-line", onclick: () => editor.goTo(line) }, `line ${line}`);
}

/** Colours by the style sheet's names, which hold for both themes. */
function colours() {
  const { language, tags } = globalThis.CodeMirror;
  const { tags: t } = tags;
  const colour = (name) => `var(--pl-${name})`;
  return language.HighlightStyle.define([
    { tag: [t.keyword, t.modifier, t.processingInstruction, t.controlKeyword], color: colour("keyword") },
    { tag: [t.typeName, t.standard(t.typeName), t.namespace], color: colour("type") },
    { tag: [t.comment, t.lineComment, t.blockComment], color: colour("comment") },
    { tag: [t.number, t.string, t.bool, t.character], color: colour("number") },
  ]);
}

function words({ MatchDecorator, Decoration, ViewPlugin }) {
  const matcher = new MatchDecorator({ regexp: CUDA, decoration: Decoration.mark({ class: "pl-cuda" }) });
  return ViewPlugin.define(
    (view) => ({
      decorations: matcher.createDeco(view),
      update(update) {
        this.decorations = matcher.updateDeco(update, this.decorations);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}
