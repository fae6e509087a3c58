import ts from 'typescript';
import type { SourceFile } from './tree.js';

interface ExportedName {
  readonly name: string;
  readonly kind: 'class' | 'function' | 'value' | 'type' | 'default' | 'other';
  /** 1-based. */
  readonly line: number;
}

/** What a file declares and exports itself; what it passes on from other files is not among it. */
export function exportedNames(file: SourceFile): readonly ExportedName[] {
  const source = file.syntax;
  const names: ExportedName[] = [];
  const add = (name: string, kind: ExportedName['kind'], node: ts.Node): void => {
    names.push({ name, kind, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
  };
  for (const node of source.statements) {
    if (ts.isExportAssignment(node)) add('default', 'default', node);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier === undefined && node.exportClause !== undefined) {
      if (!ts.isNamedExports(node.exportClause)) continue;
      for (const element of node.exportClause.elements) add(element.name.text, 'other', element);
    }
    if (!ts.canHaveModifiers(node)) continue;
    const modifiers = ts.getModifiers(node) ?? [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) add('default', 'default', node);
    else if (ts.isClassDeclaration(node) && node.name) add(node.name.text, 'class', node);
    else if (ts.isFunctionDeclaration(node) && node.name) add(node.name.text, 'function', node);
    else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) add(node.name.text, 'type', node);
    else if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        if (ts.isIdentifier(name)) add(name.text, isFunction(initializer) ? 'function' : 'value', node);
      }
    }
  }
  return names;
}

const isFunction = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
