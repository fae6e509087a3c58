import type { OutputChunk } from '@gantry/core/contracts';
import test from 'ava';
import { OutputHead } from './output-head.js';

async function read(limit: number, ...texts: readonly (string | Error)[]): Promise<string> {
  const output = new OutputHead(limit);
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

test('the first bytes are kept, and truncation is marked', async (t) => {
  t.is(await read(10, 'one ', 'two'), 'one two');
  t.is(await read(10, '1234567890'), '1234567890');
  t.is(await read(10, '12345678', '90abc', 'def'), '1234567890...');
});

test('truncation never splits a character', async (t) => {
  t.is(await read(5, 'aäöü'), 'aäö...');
  t.is(await read(4, 'aäöü'), 'aä...');
});

test('the output read before a stream breaks is kept', async (t) => {
  t.is(await read(10, 'part', new Error('gone')), 'part');
});
