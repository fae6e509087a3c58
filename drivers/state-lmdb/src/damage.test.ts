import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDriver } from '@gantry/conformance';
import type { CollectionDefinition } from '@gantry/core/contracts';
import { EngineError } from '@gantry/core/errors';
import test, { type ExecutionContext } from 'ava';
import { loadEnvironment } from './environment/load-environment.js';
import { readMeta } from './environment/meta.js';
import lmdb from './index.js';
import { decodeRecord } from './record-format.js';

interface Thing {
  readonly name: string;
  readonly filler: string;
}

const things: CollectionDefinition<Thing> = { name: 'things', version: 1, parse: (value) => value as Thing };

/** A closed store with 120 records, large and small, some overwritten, so that there are free pages. */
async function filled(t: ExecutionContext) {
  const opened = await openDriver(lmdb);
  t.teardown(() => opened.release());
  const collection = opened.driver.collection(things);
  for (const round of ['old', 'new']) {
    for (let part = 0; part < 6; part++) {
      await opened.driver.transaction((transaction) => {
        for (let index = part; index < 120; index += 6) {
          transaction.put(collection, `k${index}`, { name: round, filler: String(index).repeat((index % 5) * 900) });
        }
      });
    }
  }
  // Closes the store; the directory is removed at the end of the test.
  const closed = await opened.reopen();
  await closed.driver.collection(things);
  await (await closed.reopen()).hooks.stop?.(AbortSignal.timeout(1000));
  return { opened: closed, file: join(opened.dirs.root, 'state.mdb') };
}

/** Zeroes the page that a key is on; stale pages contain it too, and do not matter. */
function withoutPageOf(file: string, key: string): { readonly page: number; readonly bytes: Buffer } {
  const sound = readFileSync(file);
  for (let at = sound.indexOf(key); at >= 0; at = sound.indexOf(key, at + 1)) {
    const page = Math.floor(at / 4096);
    const bytes = Buffer.from(sound).fill(0, page * 4096, (page + 1) * 4096);
    writeFileSync(file, bytes);
    if (loadEnvironment(file).faults.length > 0) return { page, bytes };
  }
  throw new Error(`${key} is not in ${file}`);
}

const refusal = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => undefined,
    (error: unknown) => error,
  );
  return EngineError.is(error) ? `${error.kind}: ${error.message}` : String(error);
};

test('one damaged record is quarantined with a reason, and its bytes are kept', async (t) => {
  const { opened, file } = await filled(t);
  const bytes = readFileSync(file);
  // Stale pages contain the record too.
  for (let at = bytes.indexOf('things\0k45'); at >= 0; at = bytes.indexOf('things\0k45', at + 1)) {
    bytes[at + 'things\0k45'.length + 20] = 0x21;
  }
  writeFileSync(file, bytes);
  const after = await opened.reopen({ crash: true });
  const collection = after.driver.collection(things);
  t.is(collection.size, 119);
  t.deepEqual(collection.quarantined(), [
    { collection: 'things', key: 'k45', reason: 'the checksum of the record is wrong' },
  ]);
  const again = await after.reopen();
  // Whether its collection is open or not.
  const reason = /the checksum of the record is wrong; its bytes are kept in the quarantine of .*state\.mdb/;
  const [unopened] = (await again.hooks.findOrphans?.()) ?? [];
  t.regex(unopened?.reason ?? '', reason);
  t.is(again.driver.collection(things).size, 119);
  t.is(again.driver.collection(things).quarantined().length, 1);
  const [orphan, ...others] = (await again.hooks.findOrphans?.()) ?? [];
  t.like(orphan, { what: 'record', name: 'things/k45', isQuarantined: true, bytes: unopened?.bytes });
  t.is(others.length, 0);
  await orphan?.remove();
  t.deepEqual(await again.hooks.findOrphans?.(), []);
  const last = await again.reopen();
  t.is(last.driver.collection(things).quarantined().length, 0);
});

test('a damaged page is one clear error, and salvage continues with what can be read', async (t) => {
  const { opened, file } = await filled(t);
  const { page, bytes } = withoutPageOf(file, 'things\0k7');
  const message = await refusal(opened.reopen({ crash: true }));
  t.true(message.startsWith(`unavailable: the state file ${file} is damaged: page ${page} `), message);
  t.regex(message, /"salvage"/);
  t.deepEqual(readFileSync(file), bytes);

  const salvaged = await opened.reopen({ crash: true, config: { salvage: true } });
  const { size } = salvaged.driver.collection(things);
  t.true(size > 60 && size < 120, String(size));
  t.deepEqual(readFileSync(`${file}.damaged-1`), bytes);
  await salvaged.driver.collection(things).put('k7', { name: 'anew', filler: '' });
  const normal = await salvaged.reopen({ config: {} });
  t.is(normal.driver.collection(things).get('k7')?.name, 'anew');
});

test('a damaged free list costs no record: the file is rebuilt', async (t) => {
  const { opened, file } = await filled(t);
  const bytes = readFileSync(file);
  const { pageSize, free } = readMeta((position, length) => bytes.subarray(position, position + length));
  t.not(free.root, undefined);
  bytes.fill(0xee, (free.root as number) * pageSize + 24, ((free.root as number) + 1) * pageSize);
  writeFileSync(file, bytes);
  const after = await opened.reopen({ crash: true });
  const collection = after.driver.collection(things);
  t.is(collection.size, 120);
  await collection.put('more', { name: 'more', filler: '' });
  t.true(existsSync(`${file}.damaged-1`));
  t.is(loadEnvironment(file).freeListFault, undefined);
  const again = await after.reopen();
  t.is(again.driver.collection(things).size, 121);
});

test('damage to any page is noticed, and never ends the process', async (t) => {
  const { file } = await filled(t);
  const sound = readFileSync(file);
  const expected = summary(file);
  const damaged = `${file}.test`;
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(sound);
    const at = random(bytes.length - 64);
    for (let count = 1 + random(40); count > 0; count--) bytes[at + random(64)] = random(256);
    writeFileSync(damaged, bytes);
    const found = summary(damaged);
    t.true(found.noticed || found.text === expected.text, `damage at ${at} was not noticed`);
  }
  truncateSync(damaged, sound.length / 2);
  t.true(summary(damaged).noticed);
});

/** What a start with this file would find. */
function summary(file: string): { readonly noticed: boolean; readonly text: string } {
  try {
    const { entries, faults } = loadEnvironment(file);
    const lines = entries.map(({ area, key, value }) => `${area} ${key} ${JSON.stringify(decodeRecord(key, value))}`);
    return { noticed: faults.length > 0, text: lines.join('\n') };
  } catch {
    return { noticed: true, text: '' };
  }
}

test('an empty file is a new store; a file in another format is left alone', async (t) => {
  const opened = await openDriver(lmdb);
  t.teardown(() => opened.release());
  const file = join(opened.dirs.root, 'state.mdb');
  await opened.driver.collection(things).put('a', { name: 'a', filler: '' });
  const { length } = readdirSync(opened.dirs.root);
  t.true(length > 0);
  const closed = await opened.reopen();
  await closed.reopen();
  truncateSync(file, 0);
  const fresh = await opened.reopen({ crash: true });
  t.is(fresh.driver.collection(things).size, 0);
  await fresh.driver.collection(things).put('b', { name: 'b', filler: '' });
  t.true(statSync(file).size > 0);
  const again = await fresh.reopen();
  t.deepEqual(
    [...again.driver.collection(things).entries()].map(([key]) => key),
    ['b'],
  );
  writeFileSync(file, 'this is a text file');
  t.regex(await refusal(again.reopen({ crash: true })), /^unavailable: the state file .*state\.mdb cannot be read: /);
  t.is(readFileSync(file, 'utf8'), 'this is a text file');
});
