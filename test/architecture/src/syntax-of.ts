import ts from 'typescript';

/** The syntax tree of a file, with parents set. */
export const syntaxOf = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
