import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { injectedClassesAreRegistered } from './injection.js';

const user = (token: string): string => `class User { constructor(@inject(${token}) private readonly it: unknown) {} }`;

test('a class that is injected without being registered is a breach', (t) => {
  const tree = treeOf({
    'plugins/foo/src/user.ts': user('Store'),
    'plugins/foo/src/index.ts': 'container.register(Other);',
    'plugins/bar/src/index.ts': 'container.register(Store);',
  });
  t.deepEqual(injectedClassesAreRegistered.check(tree), [
    'plugins/foo/src/user.ts:1: Store is injected and registered nowhere in the package',
  ]);
});

test('tokens of other packages, of the kernel and registered classes pass', (t) => {
  const tree = treeOf({
    'plugins/foo/src/a.ts': user('ImageService.token'),
    'plugins/foo/src/b.ts': user('Logger'),
    'plugins/foo/src/c.ts': user('Store'),
    'plugins/foo/src/d.ts': user('Clock'),
    'plugins/foo/src/classes.ts': 'export const classes = [Store];',
    'plugins/foo/src/index.ts': 'container.register(...classes);\ncontainer.registerValue(Clock, clock);',
  });
  t.deepEqual(injectedClassesAreRegistered.check(tree), []);
});
