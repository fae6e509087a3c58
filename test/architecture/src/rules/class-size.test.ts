import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { classesAreSmall, classesNameFewDependencies, useCasesHaveOneMethod } from './class-size.js';

const methods = (count: number): string => Array.from({ length: count }, (_, index) => `m${index}() {}`).join(' ');

test('a class with 16 public methods is a breach', (t) => {
  const text = `export class Big { ${methods(16)} }`;
  t.deepEqual(classesAreSmall.check(treeOf({ 'plugins/foo/src/big.ts': text })), [
    'plugins/foo/src/big.ts: Big has 16 public methods: split it',
  ]);
});

test('private and static methods do not count, and a getter with its setter counts once', (t) => {
  const others = 'private a() {} #b() {} static c() {} get m0() { return 1; } set m0(value) {}';
  const text = `export class Fits { ${methods(15)} ${others} }`;
  t.deepEqual(classesAreSmall.check(treeOf({ 'plugins/foo/src/fits.ts': text })), []);
});

test('a use case with two public methods is a breach', (t) => {
  const two = '@injectable()\nexport class StartThing { start() {} stop() {} }';
  t.deepEqual(useCasesHaveOneMethod.check(treeOf({ 'plugins/foo/src/start-thing.ts': two })), [
    'plugins/foo/src/start-thing.ts: StartThing has the methods start, stop: one each',
  ]);
  const one = '@injectable()\nexport class StartThing { start() {} #stop() {} }';
  const noun = '@injectable()\nexport class ThingStore { get() {} set() {} }';
  t.deepEqual(useCasesHaveOneMethod.check(treeOf({ 'plugins/foo/src/a.ts': one, 'plugins/foo/src/b.ts': noun })), []);
});

const injecting = (count: number, more = ''): string => {
  const injected = Array.from(
    { length: count },
    (_, index) => `@inject(Part${index}) private readonly p${index}: Part`,
  );
  return `@injectable()\nexport class Wide { constructor(${[...injected, more].filter(Boolean).join(', ')}) {} }`;
};

test('a class that injects seven dependencies is a breach, also of a driver or a library', (t) => {
  for (const path of ['plugins/foo/src/wide.ts', 'drivers/volume-foo/src/wide.ts', 'drivers/lib-foo/src/wide.ts']) {
    t.deepEqual(classesNameFewDependencies.check(treeOf({ [path]: injecting(7) })), [
      `${path}: Wide injects 7 dependencies: split it by what it does`,
    ]);
  }
});

test('six dependencies are enough, and parameters that are not injected do not count', (t) => {
  const text = injecting(6, 'private readonly clock: () => number');
  t.deepEqual(classesNameFewDependencies.check(treeOf({ 'plugins/foo/src/wide.ts': text })), []);
});
