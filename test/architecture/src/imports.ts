import ts from 'typescript';

/** One place where a file asks for another module: an import, a re-export, an `import()` or an import type. */
export interface Import {
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  /** Nothing of it is left in the compiled file. */
  readonly typeOnly: boolean;
  /** The imported values; empty for a namespace, a default or a re-export. */
  readonly names: readonly string[];
}

/** What a file imports, in its order. Specifiers that are not literals are not seen. */
export function importsOf(source: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (literal: ts.Node | undefined, typeOnly: boolean, names: readonly string[] = []): void => {
    if (literal === undefined || !ts.isStringLiteral(literal)) return;
    const { line } = source.getLineAndCharacterOfPosition(literal.getStart(source));
    found.push({ specifier: literal.text, line: line + 1, typeOnly, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node), namesOf(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyExport(node));
    else if (ts.isCallExpression(node) && loadsModule(node)) add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The package a specifier names: `koa`, `@koa/router`, `node:fs`; undefined for a relative one. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('/')) return undefined;
  const [first = '', second] = specifier.split('/');
  return first.startsWith('@') && second !== undefined ? `${first}/${second}` : first;
}

function namesOf({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => (propertyName ?? name).text);
}

function isTypeOnlyImport({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  if (clause.name !== undefined || names === undefined || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly);
}

function isTypeOnlyExport({ isTypeOnly, exportClause: clause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly || clause === undefined || !ts.isNamedExports(clause)) return isTypeOnly;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}

const loaders = new Set(['require', 'require.resolve', 'import.meta.resolve']);

function loadsModule({ expression }: ts.CallExpression): boolean {
  return expression.kind === ts.SyntaxKind.ImportKeyword || loaders.has(expressionName(expression));
}

function expressionName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isMetaProperty(node)) return 'import.meta';
  if (ts.isPropertyAccessExpression(node)) return `${expressionName(node.expression)}.${node.name.text}`;
  return '';
}
