import { fc } from '@gantry/property-testing';
import test from 'ava';
import { EngineError } from '../errors/engine-error.js';
import { Demultiplexer } from './demultiplexer.js';
import { DetachScanner, parseDetachKeys } from './detach-keys.js';
import { frames } from './framer.js';

const chunk = fc.record({
  stream: fc.constantFrom('stdin' as const, 'stdout' as const, 'stderr' as const),
  data: fc.uint8Array({ maxLength: 300 }),
});

/** Bytes in pieces as a network may cut them. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

test('frames are taken apart as they were put together, however they are cut', (t) => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 8 }), sizes, (chunks, pieces) => {
      const demultiplexer = new Demultiplexer();
      const got: Record<string, number[]> = { stdin: [], stdout: [], stderr: [] };
      for (const piece of cut(frames(chunks), pieces)) {
        for (const { stream, data } of demultiplexer.push(piece)) got[stream]?.push(...data);
      }
      const sent = (name: string) => chunks.flatMap(({ stream, data }) => (stream === name ? [...data] : []));
      return demultiplexer.atBoundary && Object.entries(got).every(([name, bytes]) => `${bytes}` === `${sent(name)}`);
    }),
  );
  t.pass();
});

test('bytes that are no frames are refused, or taken for some', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (bytes, pieces) => {
      const demultiplexer = new Demultiplexer();
      try {
        for (const piece of cut(bytes, pieces)) demultiplexer.push(piece);
      } catch (error) {
        if (!EngineError.is(error) || error.kind !== 'invalid-argument') throw error;
      }
    }),
  );
  t.pass();
});

test('input is forwarded whole up to the detach keys, however it is cut', (t) => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'ctrl-p', 'ctrl-,'), { minLength: 1, maxLength: 4 });
  const input = fc.array(fc.constantFrom(0x61, 0x62, 0x10, 0x0c, 0x7a), { maxLength: 60 });
  fc.assert(
    fc.property(keys, input, sizes, (names, bytes, pieces) => {
      const sequence = parseDetachKeys(names.join(','));
      const scanner = new DetachScanner(sequence);
      const forwarded: number[] = [];
      let detached = false;
      for (const piece of cut(Uint8Array.from(bytes), pieces)) {
        const scanned = scanner.push(piece);
        forwarded.push(...scanned.forward);
        detached = scanned.detached;
      }
      const at = `,${bytes.join(',')},`.indexOf(`,${sequence.join(',')},`);
      const before = at < 0 ? bytes : bytes.slice(0, `,${bytes.join(',')},`.slice(0, at + 1).split(',').length - 2);
      if (detached !== at >= 0) return false;
      return detached ? `${forwarded}` === `${before}` : `${bytes}`.startsWith(`${forwarded}`);
    }),
  );
  t.pass();
});

test('detach keys are read or refused by name', (t) => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        const keys = parseDetachKeys(text);
        return keys.every((key) => key >= 0 && key < 128);
      } catch (error) {
        return EngineError.is(error) && error.kind === 'invalid-argument' && error.message.startsWith('detachKeys: ');
      }
    }),
  );
  t.pass();
});
