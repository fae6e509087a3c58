import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { filesAreNamedAfterTheirExport } from './file-names.js';

test('a file with one class or function that has another name is a breach', (t) => {
  const tree = treeOf({
    'plugins/foo/src/store.ts': 'export class ImageStore {}',
    'plugins/foo/src/parse.ts': 'export const parseName = () => 1;',
  });
  t.deepEqual(filesAreNamedAfterTheirExport.check(tree), [
    'plugins/foo/src/store.ts: exports ImageStore: name it image-store.ts',
    'plugins/foo/src/parse.ts: exports parseName: name it parse-name.ts',
  ]);
});

test('conventional names, files about a type and files with several exports pass', (t) => {
  const tree = treeOf({
    'plugins/foo/src/image-store.ts': 'export class ImageStore {}',
    'plugins/foo/src/routes.ts': 'export class ImageRoutes {}',
    'plugins/foo/src/limit-regexp.ts': 'export function limitRegExp() {}',
    'plugins/foo/src/manifest.ts': 'export interface Manifest {}\nexport function readManifest() {}',
    'plugins/foo/src/sizes.ts': 'export const a = () => 1;\nexport const b = () => 2;',
  });
  t.deepEqual(filesAreNamedAfterTheirExport.check(tree), []);
});
