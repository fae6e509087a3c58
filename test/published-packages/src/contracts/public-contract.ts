import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../testing/pack-packages.js';

/** What an entry point exports: each name's declaration, without comments and without what is private. */
export type Contract = ReadonlyMap<string, string>;

/** The entry points of a package that have types, by their names such as `./driver`, as they were built. */
export function publicContracts(
  folder: string,
  exported: Readonly<Record<string, { readonly types?: string } | string>>,
): ReadonlyMap<string, Contract> {
  const entries = Object.entries(exported).flatMap(([name, target]) =>
    typeof target === 'object' && target.types !== undefined
      ? [[name, path.join(projectRoot, folder, target.types)] as const]
      : [],
  );
  const program = ts.createProgram({
    rootNames: entries.map(([, file]) => file),
    options: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true },
  });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map(([name, file]) => {
      const source = program.getSourceFile(file);
      const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
      const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
      const declarations = symbols.map((symbol) => [symbol.name, declarationOf(symbol, checker)] as const);
      return [name, new Map(declarations.sort(([one], [other]) => (one < other ? -1 : 1)))] as const;
    }),
  );
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

function declarationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const own = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return (own.declarations ?? [])
    .map((declaration) => {
      const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
      return printer.printNode(ts.EmitHint.Unspecified, withoutPrivate(node), node.getSourceFile());
    })
    .join('\n');
}

/** Private members are in declarations, too, by their names alone. */
function withoutPrivate(node: ts.Node): ts.Node {
  if (!ts.isClassDeclaration(node)) return node;
  const members = node.members.filter((member) => {
    const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
    const isHidden = modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    return !isHidden && !(member.name !== undefined && ts.isPrivateIdentifier(member.name));
  });
  const { modifiers, name, typeParameters, heritageClauses } = node;
  return ts.factory.updateClassDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
}
