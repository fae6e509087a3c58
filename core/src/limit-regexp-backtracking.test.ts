import { createRequire } from 'node:module';
import test from 'ava';

const { limitRegExpBacktracking } = createRequire(import.meta.url)('../bin/limit-regexp-backtracking.js');
limitRegExpBacktracking();

for (const [pattern, text] of [
  ['(a+)+$', `${'a'.repeat(40)}!`],
  [`${'.*'.repeat(20)}z`, 'a'.repeat(60)],
  [`^${'[^/]*a'.repeat(20)}b$`, 'a'.repeat(100)],
  [`^${'(?:.*/)?'.repeat(20)}x$`, `${'a/'.repeat(100)}y`],
] as const) {
  test(`matching ${pattern.slice(0, 20)} ends`, (t) => {
    const began = performance.now();
    t.false(new RegExp(pattern, 's').test(text));
    t.true(performance.now() - began < 10_000);
  });
}
