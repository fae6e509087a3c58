import test from 'ava';
import { type Import, importsOf, packageOf } from './imports.js';
import { syntaxOf } from './syntax-of.js';

const importsIn = (text: string): readonly Import[] => importsOf(syntaxOf('a.ts', text));
const specifiers = (text: string): string[] => importsIn(text).map(({ specifier }) => specifier);
const typeOnly = (text: string): boolean | undefined => importsIn(text)[0]?.typeOnly;

test('every way to ask for a module is seen', (t) => {
  t.deepEqual(specifiers(`import 'a'`), ['a']);
  t.deepEqual(specifiers(`import b from 'b'`), ['b']);
  t.deepEqual(specifiers(`export * from 'c'`), ['c']);
  t.deepEqual(specifiers(`const d = await import('d')`), ['d']);
  t.deepEqual(specifiers(`const e = require('e')`), ['e']);
  t.deepEqual(specifiers(`import.meta.resolve('f')`), ['f']);
  t.deepEqual(specifiers(`let g: import('g').G`), ['g']);
});

test('what only looks like an import is not one', (t) => {
  t.deepEqual(specifiers(`// import 'a'\nconst text = "import 'b'"; const c = load('c');`), []);
});

test('an import of types alone is distinguished from one that remains in the compiled file', (t) => {
  t.true(typeOnly(`import type { A } from 'a'`));
  t.true(typeOnly(`import type A from 'a'`));
  t.true(typeOnly(`import { type A, type B } from 'a'`));
  t.true(typeOnly(`export type { A } from 'a'`));
  t.true(typeOnly(`let a: import('a').A`));
  t.false(typeOnly(`import { type A, b } from 'a'`));
  t.false(typeOnly(`import A, { type B } from 'a'`));
  t.false(typeOnly(`import 'a'`));
  t.false(typeOnly(`export { a } from 'a'`));
});

test('the line of an import is where its specifier stands', (t) => {
  t.is(importsIn(`import {\n  a,\n} from 'a';`)[0]?.line, 3);
});

test('a specifier names its package, and a relative one names none', (t) => {
  t.is(packageOf('koa'), 'koa');
  t.is(packageOf('@koa/router/x'), '@koa/router');
  t.is(packageOf('lodash/map'), 'lodash');
  t.is(packageOf('./koa'), undefined);
});
