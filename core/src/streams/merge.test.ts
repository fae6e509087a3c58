import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { merge } from './merge.js';

async function* pieces(...items: readonly string[]): AsyncGenerator<string> {
  for (const item of items) {
    await setImmediate();
    yield item;
  }
}

test('the pieces of all sources come, those of one source in their order', async (t) => {
  const seen: string[] = [];
  for await (const piece of merge([pieces('a1', 'a2', 'a3'), pieces(), pieces('b1', 'b2')])) seen.push(piece);
  t.deepEqual(
    seen.filter((piece) => piece.startsWith('a')),
    ['a1', 'a2', 'a3'],
  );
  t.deepEqual(
    seen.filter((piece) => piece.startsWith('b')),
    ['b1', 'b2'],
  );
  t.is(seen.length, 5);
});

test('a quiet source does not hold up the others', async (t) => {
  let speak = (): void => undefined;
  const spoken = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const quiet = async function* () {
    await spoken;
    yield 'at last';
  };
  const seen: string[] = [];
  for await (const piece of merge([quiet(), pieces('1', '2')])) {
    seen.push(piece);
    if (piece === '2') speak();
  }
  t.deepEqual(seen, ['1', '2', 'at last']);
});

test('a source is asked for its next piece only when its last one has been taken', async (t) => {
  let asked = 0;
  const source = async function* () {
    for (asked = 1; asked < 4; asked++) yield asked;
  };
  for await (const piece of merge([source()])) {
    await setImmediate();
    t.is(asked, piece);
  }
});

test('the first failure ends all, and a reader that leaves closes every source', async (t) => {
  const closed: string[] = [];
  const endless = async function* (name: string) {
    try {
      for (;;) {
        await setImmediate();
        yield name;
      }
    } finally {
      closed.push(name);
    }
  };
  const failing = async function* () {
    yield* pieces('x');
    throw new Error('it broke');
  };
  await t.throwsAsync(
    async () => {
      for await (const piece of merge([endless('one'), failing()])) t.truthy(piece);
    },
    { message: 'it broke' },
  );
  for await (const piece of merge([endless('two'), endless('three')])) if (piece === 'three') break;
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  t.deepEqual(closed.sort(), ['one', 'three', 'two']);
});
