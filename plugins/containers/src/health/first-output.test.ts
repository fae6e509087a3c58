import type { OutputChunk } from '@gantry/core/contracts';
import test from 'ava';
import { FirstOutput } from './first-output.js';

async function read(limit: number, ...texts: readonly (string | Error)[]): Promise<string> {
  const output = new FirstOutput(limit);
  await output.read(
    (async function* (): AsyncGenerator<OutputChunk> {
      for (const text of texts) {
        if (text instanceof Error) throw text;
        yield { stream: 'stdout', bytes: Buffer.from(text) };
      }
    })(),
  );
  return output.text;
}

test('the beginning is kept, and a cut is told', async (t) => {
  t.is(await read(10, 'one ', 'two'), 'one two');
  t.is(await read(10, '1234567890'), '1234567890');
  t.is(await read(10, '12345678', '90abc', 'def'), '1234567890...');
});

test('no character is cut in two', async (t) => {
  t.is(await read(5, 'aäöü'), 'aäö...');
  t.is(await read(4, 'aäöü'), 'aä...');
});

test('what was read of a stream that breaks is there', async (t) => {
  t.is(await read(10, 'part', new Error('gone')), 'part');
});
