import assert from 'node:assert/strict';
import type { Assertions } from '../test-interface.js';

/** AVA's assertions by the means of Node alone. */
export const assertions = (log: (line: string) => void, pass: (message?: string) => void): Assertions => ({
  pass,
  fail: (message) => assert.fail(message),
  true: (actual, message) => assert.equal(actual, true, message),
  false: (actual, message) => assert.equal(actual, false, message),
  is: (actual, expected, message) => assert.ok(Object.is(actual, expected), message ?? different(actual, expected)),
  not: (actual, expected, message) =>
    assert.ok(!Object.is(actual, expected), message ?? `should not be ${text(actual)}`),
  deepEqual: (actual, expected, message) => assert.deepEqual(actual, expected, message),
  regex: (actual, pattern, message) => assert.match(actual, pattern, message),
  log: (...values) => log(values.map(text).join(' ')),
});

const different = (actual: unknown, expected: unknown): string => `is ${text(actual)}, should be ${text(expected)}`;

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));
