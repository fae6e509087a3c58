import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { exportsAreUsed } from './unused-exports.js';

test('an exported name that no file imports is a breach, also where another file has that name', (t) => {
  const tree = treeOf({
    'plugins/foo/src/a.ts': 'export const used = 1;\nexport interface Unused {}',
    'plugins/foo/src/b.ts': "import { used } from './a.js';\nconst Unused = used;\nUnused;",
  });
  t.deepEqual(exportsAreUsed.check(tree), [
    'plugins/foo/src/a.ts:2: Unused is imported nowhere: delete it or do not export it',
  ]);
});

test('names that are re-exported, loaded at run time or exported to other packages pass', (t) => {
  const tree = treeOf({
    'plugins/foo/package.json': { name: '@gantry/foo', exports: { '.': { default: './dist/entry.js' } } },
    'plugins/foo/src/entry.ts':
      "export const forOthers = 1;\nexport { named } from './named.js';\nexport * from './all.js';",
    'plugins/foo/src/named.ts': 'export const named = 1;',
    'plugins/foo/src/all.ts': 'export const one = 1;',
    'plugins/foo/src/thread.ts': 'export const loaded = 1;',
    'plugins/foo/src/start.ts': "new URL('./thread.js', import.meta.url);",
  });
  t.deepEqual(exportsAreUsed.check(tree), []);
});
