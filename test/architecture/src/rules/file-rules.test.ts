import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import {
  filesAreShort,
  indexesOnlyDeclare,
  lateImportsAreOwn,
  linksLeadSomewhere,
  logsCarryErrors,
  nothingIsAny,
  testsAreRun,
  textsKnowNoMachine,
  typesAreNotSilenced,
} from './file-rules.js';

const path = 'core/src/a.ts';
const long = 'export {};\n'.repeat(401);

test('a file of more than 400 lines is a breach unless it is listed', (t) => {
  t.deepEqual(filesAreShort({}).check(treeOf({ [path]: long })), [`${path}: 401 lines: split it by idea`]);
  t.deepEqual(filesAreShort({ [path]: 'one table' }).check(treeOf({ [path]: long })), []);
});

test('a listed file that is short by now is a breach', (t) => {
  t.deepEqual(filesAreShort({ [path]: 'one table' }).check(treeOf({ [path]: '' })), [
    `${path}: listed as long without need`,
  ]);
});

test('code in an index file is a breach, a declaration is not', (t) => {
  const declaring = `import a from './a.js';\nexport * from './b.js';\nexport default defineDriver({ id: 'x', create: () => a() });`;
  t.deepEqual(indexesOnlyDeclare.check(treeOf({ 'drivers/foo/src/index.ts': declaring })), []);
  t.deepEqual(indexesOnlyDeclare.check(treeOf({ 'drivers/foo/src/index.ts': `\nfunction a() {}` })), [
    'drivers/foo/src/index.ts:2: move this to a file of its own',
  ]);
});

test('a test that no pattern of the configuration finds is a breach', (t) => {
  const tree = treeOf({
    'ava.config.js': "files: ['core/dist/**/*.test.js', 'drivers/*/dist/**/*.test.js']",
    'core/src/a/b.test.ts': '',
    'drivers/foo/src/c.test.ts': '',
    'gantry/src/d.test.ts': '',
    'gantry/templates/a/src/e.test.ts': '',
  });
  t.deepEqual(testsAreRun.check(tree), ['gantry/src/d.test.ts: no pattern of ava.config.js finds it']);
});

test('any as a type is a breach, any as a word is not', (t) => {
  const kinds = ['let a = b as any;', 'let a: any;', 'const a = <any>b;', 'let a: Map<string, any>;'];
  for (const text of kinds) t.is(nothingIsAny.check(treeOf({ [path]: text })).length, 1, text);
  t.deepEqual(nothingIsAny.check(treeOf({ [path]: `// as any reader: any\nconst any = 'any';` })), []);
});

test('silencing a check without a reason is a breach', (t) => {
  const kinds = [
    '// @ts-ignore',
    '// @ts-nocheck',
    '// @ts-expect-error',
    '// biome-ignore lint/style/noNonNullAssertion:',
    'test.only("a", t => {})',
    'test.serial.only("a", t => {})',
  ];
  for (const text of kinds) t.is(typesAreNotSilenced.check(treeOf({ [path]: text })).length, 1, text);
});

test('silencing a check with a reason is allowed', (t) => {
  const kinds = ['// @ts-expect-error: a state that must not compile', '// biome-ignore lint/a/b: the wire has it so'];
  for (const text of kinds) t.deepEqual(typesAreNotSilenced.check(treeOf({ [path]: text })), [], text);
});

test('a late import of a foreign package is a breach, one of an own module is not', (t) => {
  const late = (specifier: string) => treeOf({ [path]: `const { a } = await import('${specifier}');` });
  t.is(lateImportsAreOwn.check(late('yaml')).length, 1);
  for (const own of ['./parse-yaml.js', '@gantry/lib-log', 'node:tls']) {
    t.deepEqual(lateImportsAreOwn.check(late(own)), [], own);
  }
});

test('a path of one machine, an open end and a half merge are breaches', (t) => {
  const kinds = ['see /work/main', '/home/me/x', '// TODO later', '<<<<<<< HEAD', '// FIXME'];
  for (const text of kinds) t.is(textsKnowNoMachine.check(treeOf({ 'docs/a.md': text })).length, 1, text);
});

test('an open end with a link and a folder called work below another are allowed', (t) => {
  const kinds = ['// TODO https://example.org/issues/1', 'of(layer)/work/x', 'layers/work/x', '/work', 'mktemp XXXXXX'];
  for (const text of kinds) t.deepEqual(textsKnowNoMachine.check(treeOf({ 'docs/a.md': text })), [], text);
});

test('a link to what is not there is a breach', (t) => {
  const text = '[a](../core/a.md) [b](../gone.md) [c](https://example.org) [d](#here) [e](../core) [f](../core/)';
  t.deepEqual(linksLeadSomewhere.check(treeOf({ 'docs/a.md': text, 'core/a.md': '' })), [
    'docs/a.md: links to gone.md, which is not there',
  ]);
});

test('logging only the message of an error is a breach', (t) => {
  const text = "log.warn({ event: 'x.failed', reason: messageOf(error) }, 'failed');";
  t.is(logsCarryErrors.check(treeOf({ 'plugins/foo/src/a.ts': text })).length, 1);
  t.deepEqual(logsCarryErrors.check(treeOf({ 'plugins/foo/src/a.ts': "log.warn({ event: 'x.failed', error });" })), []);
});
