import { posix } from 'node:path';
import ts from 'typescript';
import type { Rule } from '../rule.js';
import type { SourceFile } from '../tree.js';
import { longFiles } from './long-files.js';

const limit = 400;

export const filesAreShort = (exceptions: Readonly<Record<string, string>> = longFiles): Rule => ({
  title: `a file has at most ${limit} lines, or stands in a list with the reason`,
  check(tree) {
    const tooLong = new Map(
      tree.sources.map(({ path, text }) => [path, text.split('\n').length - 1] as const).filter(([, n]) => n > limit),
    );
    return [
      ...[...tooLong].filter(([path]) => !exceptions[path]).map(([path, n]) => `${path}: ${n} lines: split it by idea`),
      ...Object.keys(exceptions)
        .filter((path) => !tooLong.has(path))
        .map((path) => `${path}: listed as long without need`),
    ];
  },
});

/**
 * AVA finds tests by the patterns of its configuration, which a package in a folder of its own has to be added to. The tests
 * of templates run in the packages that are made of them.
 */
export const testsAreRun: Rule = {
  title: 'every test is run',
  check({ files }) {
    const patterns = [...(files.get('ava.config.js') ?? '').matchAll(/'(\S+?)\/dist\/\*\*\/\*\.test\.js'/g)];
    const folders = patterns.map(([, folder = '']) => new RegExp(`^${folder.replaceAll('*', '[^/]+')}/src/`));
    return [...files.keys()]
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('/templates/'))
      .filter((path) => !folders.some((folder) => folder.test(path)))
      .map((path) => `${path}: no pattern of ava.config.js finds it`);
  },
};

/** An index file imports, exports and, in a driver or a plugin, declares the package: `export default define…`. */
export const indexesOnlyDeclare: Rule = {
  title: 'an index file declares and holds no code',
  check: ({ sources }) =>
    sources
      .filter(({ path }) => path.endsWith('/src/index.ts'))
      .flatMap((file) =>
        statementsWithCode(file).map((line) => `${file.path}:${line}: move this to a file of its own`),
      ),
};

function statementsWithCode({ path, text }: SourceFile): number[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  return source.statements
    .filter((node) => !ts.isImportDeclaration(node) && !ts.isExportDeclaration(node) && !ts.isExportAssignment(node))
    .map((node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
}

export const nothingIsAny: Rule = {
  title: 'no type is any',
  check: ({ sources }) =>
    sources.flatMap((file) =>
      linesWithAny(file).map((line) => `${file.path}:${line}: any switches the compiler off: parse from unknown`),
    ),
};

function linesWithAny({ path, text }: SourceFile): number[] {
  if (!/\bany\b/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      lines.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

/** A rule over the lines of some files; `patterns` maps what must not be there to what to do about it. */
const lineRule = (title: string, applies: (path: string) => boolean, patterns: readonly [RegExp, string][]): Rule => ({
  title,
  check: ({ files }) =>
    [...files]
      .filter(([path]) => applies(path))
      .flatMap(([path, text]) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            patterns.flatMap(([pattern, advice]) => (pattern.test(line) ? [`${path}:${index + 1}: ${advice}`] : [])),
          ),
      ),
});

const isCodeFile = (path: string): boolean => /\.(ts|js|mjs)$/.test(path);
/** The rules and their tests have to spell out what they forbid. */
const isOwn = (path: string): boolean => path.startsWith('test/architecture/');

export const typesAreNotSilenced = lineRule(
  'no check is silenced without a reason',
  (path) => isCodeFile(path) && !isOwn(path),
  [
    [/@ts-(ignore|nocheck)/, 'use @ts-expect-error with the reason, in a test'],
    [/@ts-expect-error\s*$/, 'say why an error is expected'],
    [/biome-ignore\s+[\w/]+\s*:?\s*$/, 'say why the check is wrong here'],
    [/\btest(\.serial)?\.only\(/, 'a focused test silences all others'],
  ],
);

export const textsKnowNoMachine = lineRule(
  'no file knows the machine or the moment it was written on',
  (path) => path !== 'package-lock.json' && !isOwn(path),
  [
    [/(?<![\w.}*)/-])\/(work|home|Users)\/[\w.]/, 'a path of one machine: make it relative or configurable'],
    [/\b(TODO|FIXME|XXX)\b(?!.*https?:\/\/)/, 'do it now, or link the issue'],
    [/^(<{7}|>{7}) /, 'a merge was left half done'],
  ],
);

/** esbuild gives `import()` of a CommonJS package its default export only, which no test outside of the bundle sees. */
export const lateImportsAreOwn = lineRule(
  'what is imported late is a module of the project',
  (path) => /^(core|drivers|plugins)\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path),
  [
    [
      /(?:await|return|=>|=) import\('(?!\.|@gantry\/|node:)/,
      'in the bundle a package may lack its named exports: import it in a module of its own, and that one late',
    ],
  ],
);

export const linksLeadSomewhere: Rule = {
  title: 'a link in the documentation leads to a file that is there',
  check: ({ files }) =>
    [...files]
      .filter(([path]) => path.endsWith('.md'))
      .flatMap(([path, text]) =>
        [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
          .map(([, link = '']) => posix.join(posix.dirname(path), link).replace(/\/$/, ''))
          .filter((target) => ![...files.keys()].some((file) => file === target || file.startsWith(`${target}/`)))
          .map((target) => `${path}: links to ${target}, which is not there`),
      ),
};

/** A message alone has neither type nor stack nor cause; the logger serializes all of them. */
export const logsCarryErrors: Rule = {
  title: 'a log line carries the error, not only its message',
  check: ({ sources }) =>
    sources
      .filter(({ path, isTest }) => /^(core|drivers|plugins)\//.test(path) && !isTest)
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            /\b(reason|error): (messageOf|String)\(/.test(line) && /\bevent\b|\bfacts\b/.test(line)
              ? [`${path}:${index + 1}: log the error itself, as the field "error"`]
              : [],
          ),
      ),
};
