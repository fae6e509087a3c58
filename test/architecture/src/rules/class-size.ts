import ts from 'typescript';
import type { Rule } from '../rule.js';

/** A class with more is more than one idea: split it, or its contract. */
const maxMethods = 15;

/** A class that injects more does the work of several. */
const maxDependencies = 6;

/** The methods and accessors that other code can call; a getter and its setter count once. */
function publicMethodsOf(node: ts.ClassDeclaration): ReadonlySet<string> {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword];
  const names = node.members.flatMap((member) => {
    if (member.name === undefined || ts.isPrivateIdentifier(member.name)) return [];
    if (ts.canHaveModifiers(member) && ts.getModifiers(member)?.some(({ kind }) => hidden.includes(kind))) return [];
    const isMethod = ts.isMethodDeclaration(member) || ts.isAccessor(member) || isFunctionProperty(member);
    return isMethod ? [member.name.getText()] : [];
  });
  return new Set(names);
}

const isFunctionProperty = (member: ts.ClassElement): boolean =>
  ts.isPropertyDeclaration(member) && member.initializer !== undefined && ts.isArrowFunction(member.initializer);

function classesOf(source: ts.SourceFile): readonly ts.ClassDeclaration[] {
  const classes: ts.ClassDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node)) classes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return classes;
}

export const classesAreSmall: Rule = {
  title: `no class has more than ${maxMethods} public methods`,
  check: ({ sources }) =>
    sources
      .filter(({ text }) => /\bclass\b/.test(text))
      .flatMap((file) =>
        classesOf(file.syntax).flatMap((node) => {
          const { size } = publicMethodsOf(node);
          const name = node.name?.text ?? 'a class';
          return size > maxMethods ? [`${file.path}: ${name} has ${size} public methods: split it`] : [];
        }),
      ),
};

const isInject = ({ expression }: ts.Decorator): boolean =>
  ts.isCallExpression(expression) && expression.expression.getText() === 'inject';

/** How many parameters of its constructor a class has injected. */
function dependenciesOf(node: ts.ClassDeclaration): number {
  const parameters = node.members.filter(ts.isConstructorDeclaration).flatMap((member) => [...member.parameters]);
  return parameters.filter((parameter) => ts.getDecorators(parameter)?.some(isInject)).length;
}

export const classesNameFewDependencies: Rule = {
  title: `no class injects more than ${maxDependencies} dependencies`,
  check: ({ sources }) =>
    sources
      .filter(({ text }) => text.includes('@inject('))
      .flatMap((file) =>
        classesOf(file.syntax).flatMap((node) => {
          const count = dependenciesOf(node);
          const name = node.name?.text ?? 'a class';
          return count > maxDependencies
            ? [`${file.path}: ${name} injects ${count} dependencies: split it by what it does`]
            : [];
        }),
      ),
};

/** `StartContainer` is a use case: a class named by the verb of its one method. A run is a thing here, so it is no verb. */
export const useCasesHaveOneMethod: Rule = {
  title: 'a class named by a verb has one public method',
  check: ({ sources }) =>
    sources
      .filter(({ path, text, isTest }) => /^plugins\//.test(path) && !isTest && text.includes('@injectable('))
      .flatMap((file) =>
        classesOf(file.syntax).flatMap((node) => {
          const name = node.name?.text ?? '';
          const [, verb = ''] = /^([A-Z][a-z]+)[A-Z]/.exec(name) ?? [];
          if (!verbs.has(verb)) return [];
          const methods = publicMethodsOf(node);
          return methods.size > 1 ? [`${file.path}: ${name} has the methods ${[...methods].join(', ')}: one each`] : [];
        }),
      ),
};

/** Verbs that are no nouns as well, such as `Export` or `Commit` may be. */
const verbs = new Set(
  'Add Attach Connect Create Delete Disconnect Find Get Inspect Install Kill List Pause Prepare Prune Read Remove Rename Resize Resume Send Set Start Stop Unpause Update Wait Write'.split(
    ' ',
  ),
);
