import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { registeredPartsOnlyAnswer } from './upward-calls.js';

const service = (parameter: string): string => `export interface Lower { addUsers(users: ${parameter}): () => void; }`;

test('an operation that is registered with a service is a breach, wherever its interface is declared', (t) => {
  const tree = treeOf({
    'plugins/one/src/service.ts': `${service('Users')} export interface Users { attach(id: string): Promise<void>; }`,
    'plugins/two/src/service.ts': service('Users'),
    'plugins/two/src/users.ts': 'export interface Users { readonly watch: () => AsyncIterable<string>; }',
    'plugins/three/src/service.ts': service('(id: string) => Promise<void>'),
  });
  t.deepEqual(registeredPartsOnlyAnswer.check(tree), [
    'plugins/one/src/service.ts: Users.attach lets this area start work in the area that registers it',
    'plugins/two/src/service.ts: Users.watch lets this area start work in the area that registers it',
    'plugins/three/src/service.ts: (id: string) => Promise<void> lets this area start work in the area that registers it',
  ]);
});

test('questions pass', (t) => {
  const tree = treeOf({
    'plugins/one/src/service.ts': `${service('Users')} export interface Users { usersOf(id: string): readonly string[]; }`,
    'plugins/two/src/service.ts': service('(id: string) => boolean'),
  });
  t.deepEqual(registeredPartsOnlyAnswer.check(tree), []);
});
