import ts from 'typescript';
import type { SourceFile } from './tree.js';

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

/** The syntax tree of a file, with parents set; parsed once for all rules. */
export function syntaxOf(file: SourceFile): ts.SourceFile {
  let source = parsed.get(file);
  if (source === undefined) {
    source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
    parsed.set(file, source);
  }
  return source;
}
