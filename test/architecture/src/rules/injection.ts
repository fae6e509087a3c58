import ts from 'typescript';
import type { Rule } from '../rule.js';
import type { SourceFile } from '../tree.js';

interface Injected {
  readonly name: string;
  readonly line: number;
}

const nodesOf = (file: SourceFile): ts.Node[] => {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return nodes;
};

/** Classes of the package that a constructor injects: `@inject(Name)`, not `@inject(Point.token)`. */
const injectedBy = (file: SourceFile): Injected[] =>
  !file.text.includes('@inject(')
    ? []
    : nodesOf(file).flatMap((node) => {
        if (!ts.isDecorator(node) || !ts.isCallExpression(node.expression)) return [];
        const { expression, arguments: [token] = [] } = node.expression;
        if (expression.getText() !== 'inject' || token === undefined || !ts.isIdentifier(token)) return [];
        const { line } = file.syntax.getLineAndCharacterOfPosition(node.getStart());
        return [{ name: token.text, line: line + 1 }];
      });

const registrations = new Set([
  'register',
  'registerHooks',
  'registerClass',
  'registerValue',
  'registerFactory',
  'registerAsync',
]);

/** Names that some call of `register…` mentions. */
const registeredBy = (file: SourceFile, files: readonly SourceFile[]): string[] =>
  !/\bregister/.test(file.text)
    ? []
    : nodesOf(file).flatMap((node) => {
        if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
        if (!registrations.has(node.expression.name.text)) return [];
        return node.arguments.flatMap((argument) =>
          ts.isIdentifier(argument)
            ? [argument.text]
            : ts.isSpreadElement(argument)
              ? elementsOf(argument.expression, files)
              : [],
        );
      });

/** The elements of a constant list of the package's classes, such as `container.register(...useCases)`. */
function elementsOf(expression: ts.Expression, files: readonly SourceFile[]): string[] {
  const list = ts.isIdentifier(expression)
    ? files
        .filter(({ text }) => text.includes(`const ${expression.text}`))
        .flatMap(nodesOf)
        .find((node) => ts.isVariableDeclaration(node) && node.name.getText() === expression.text)
    : expression;
  const array = list && ts.isVariableDeclaration(list) ? list.initializer : list;
  const literal = array && ts.isAsExpression(array) ? array.expression : array;
  return literal && ts.isArrayLiteralExpression(literal)
    ? literal.elements.filter(ts.isIdentifier).map(({ text }) => text)
    : [];
}

/** What the kernel registers in every package's container. */
const provided = new Set([
  'Config',
  'EngineEvents',
  'EngineSettings',
  'IdMappings',
  'Lifetime',
  'Logger',
  'PackageDirectories',
  'PackageMeasurements',
  'PackageOrphans',
  'PackageStatuses',
  'RecentLog',
  'StopSignal',
]);

export const injectedClassesAreRegistered: Rule = {
  title: 'a class that is injected is registered, or each user gets an instance of its own',
  check: ({ packages, sources }) =>
    packages.flatMap((owner) => {
      const files = sources.filter((file) => file.package === owner);
      // The classes of a library are registered by its users.
      const users = owner.role === 'library' ? sources.filter(({ isTest }) => !isTest) : files;
      const registered = new Set(users.flatMap((file) => registeredBy(file, files)));
      return files
        .filter(({ isTest }) => !isTest)
        .flatMap((file) =>
          injectedBy(file)
            .filter(({ name }) => !provided.has(name) && !registered.has(name))
            .map(({ name, line }) => `${file.path}:${line}: ${name} is injected and registered nowhere in the package`),
        );
    }),
};
