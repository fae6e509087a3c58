import ts from 'typescript';
import { exportedNames } from '../exported-names.js';
import type { Rule } from '../rule.js';
import type { SourceFile } from '../tree.js';
import type { WorkspacePackage } from '../workspace-package.js';

/** What a file uses of others: `path#name`, or `path#*` for all of a file. */
function usesOf(file: SourceFile): readonly string[] {
  const uses: string[] = [];
  const add = (literal: ts.Expression | undefined, names: readonly string[]): void => {
    if (literal === undefined || !ts.isStringLiteral(literal) || !literal.text.startsWith('.')) return;
    for (const name of names) uses.push(`${resolve(file, literal.text)}#${name}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedBy(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportedBy(node));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ['*']);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal as ts.Expression, ['*']);
    else if (ts.isNewExpression(node) && node.expression.getText() === 'URL') add(node.arguments?.[0], ['*']);
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return uses;
}

const importedBy = ({ importClause }: ts.ImportDeclaration): string[] => {
  if (importClause === undefined) return ['*'];
  const named = importClause.namedBindings;
  return [
    ...(importClause.name ? ['default'] : []),
    ...(named === undefined ? [] : ts.isNamedImports(named) ? named.elements.map(originalName) : ['*']),
  ];
};

const exportedBy = ({ exportClause }: ts.ExportDeclaration): string[] =>
  exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements.map(originalName) : ['*'];

const originalName = ({ name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier): string =>
  (propertyName ?? name).text;

export const exportsAreUsed: Rule = {
  title: 'what a file exports is imported somewhere',
  check({ packages, sources }) {
    const used = new Set(sources.flatMap(usesOf));
    const entries = new Set(packages.flatMap(entriesOf));
    return sources
      .filter(({ path }) => !entries.has(path) && !used.has(`${path}#*`))
      .flatMap((file) =>
        exportedNames(file)
          .filter(({ name }) => !used.has(`${file.path}#${name}`))
          .map(({ name, line }) => `${file.path}:${line}: ${name} is imported nowhere: delete it or do not export it`),
      );
  },
};

/** The files that other packages import: those that the manifest's `exports` name. */
const entriesOf = ({ folder, manifest }: WorkspacePackage): string[] =>
  [...JSON.stringify(manifest.exports ?? {}).matchAll(/"\.\/dist\/([^"]+)\.js"/g)].map(
    ([, file]) => `${folder}/src/${file}.ts`,
  );

const resolve = (file: SourceFile, specifier: string): string =>
  new URL(specifier, `file:///${file.path}`).pathname.slice(1).replace(/\.js$/, '.ts');
