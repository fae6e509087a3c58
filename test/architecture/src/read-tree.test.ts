import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { readTree } from './read-tree.js';

test('the tree holds what people wrote and nothing installed or generated', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'gantry-architecture-'));
  t.teardown(() => rm(root, { recursive: true }));
  const written = [
    'README.md',
    'core/bin/gantryd',
    'core/package.json',
    'core/src/main.ts',
    '.ci/run',
    'docs/view.png',
  ];
  const generated = ['core/dist/main.js', 'node_modules/a/index.js', '.git/config.md'];
  for (const path of [...written, ...generated]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), '{}');
  }

  const tree = await readTree(root);

  t.deepEqual([...tree.files.keys()].sort(), [...written].sort());
  t.is(tree.files.get('docs/view.png'), '', 'a picture is only there');
  t.deepEqual(tree.sources.map(({ path }) => path).sort(), ['core/bin/gantryd', 'core/src/main.ts']);
});
