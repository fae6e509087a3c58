import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { foldersHaveNoCycles } from './folders-have-no-cycles.js';

const rule = foldersHaveNoCycles;
const importing = (specifier: string) => `import { x } from '${specifier}';`;

test('folders that import each other are a breach, reported once', (t) => {
  const tree = treeOf({
    'plugins/foo/src/index.ts': importing('./one/a.js'),
    'plugins/foo/src/one/a.ts': importing('../two/b.js'),
    'plugins/foo/src/two/b.ts': importing('../one/c.js'),
    'plugins/foo/src/one/c.ts': '',
  });
  t.deepEqual(rule.check(tree), ['plugins/foo/src: one -> two -> one: move what both need below them']);
});

test('a longer circle and a circle through a file under src are breaches', (t) => {
  const circle = treeOf({
    'plugins/foo/src/one/a.ts': importing('../two/b.js'),
    'plugins/foo/src/two/b.ts': importing('../three/c.js'),
    'plugins/foo/src/three/c.ts': importing('../one/a.js'),
  });
  t.is(rule.check(circle).length, 1);
  const throughFile = treeOf({
    'plugins/foo/src/record.ts': importing('./one/a.js'),
    'plugins/foo/src/one/a.ts': importing('../record.js'),
  });
  t.is(rule.check(throughFile).length, 1);
});

test('imports in one direction, within a folder and by tests are no breach', (t) => {
  const tree = treeOf({
    'plugins/foo/src/one/a.ts': importing('../two/b.js'),
    'plugins/foo/src/one/b.ts': importing('./a.js'),
    'plugins/foo/src/two/b.ts': '',
    'plugins/foo/src/two/b.test.ts': importing('../one/a.js'),
  });
  t.deepEqual(rule.check(tree), []);
});
