import { fileURLToPath } from 'node:url';
import test from 'ava';
import { readTree } from './read-tree.js';
import { rules } from './rules.js';

const tree = readTree(fileURLToPath(new URL('../../../', import.meta.url)));

for (const rule of rules) {
  test(`in this project ${rule.title}`, async (t) => {
    t.deepEqual(rule.check(await tree), []);
  });
}
