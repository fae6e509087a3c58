import { Readable } from 'node:stream';
import { openDriver } from '@gantry/conformance';
import { silentLogger } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { Layers, type WantedLayer } from './layers.js';
import { ImageStore } from './store.js';
import { digestOf, tarOf } from './testing/archives.js';
import { FakeStorage } from './testing/fake-storage.js';

const tar = await tarOf({ file: 'x' });
const wanted: WantedLayer = { diffId: digestOf(tar), source: () => ({ stream: Readable.from([tar]) }) };

async function bench(t: ExecutionContext) {
  const opened = await openDriver(state);
  t.teardown(() => opened.release());
  const storage = new FakeStorage();
  let open: (value: unknown) => void = () => undefined;
  storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const layers = new Layers(new ImageStore(opened.driver), storage as never, silentLogger);
  return { layers, storage, letGo: () => open(undefined) };
}

test('who waits for the extraction of another leaves when they are told to, and the extraction goes on', async (t) => {
  const { layers, letGo, storage } = await bench(t);
  const first = layers.stage([wanted]);
  const client = new AbortController();
  const second = layers.stage([wanted], { signal: client.signal });
  client.abort(new Error('gone'));
  await t.throwsAsync(second, { message: 'gone' });
  letGo();
  const { layers: staged, release } = await first;
  t.is(staged.length, 1);
  t.is(storage.begun, 1);
  await release();
  t.is(storage.stored.size, 0, 'nothing took it');
});

test('when the extraction of another fails, who waits for it extracts by themselves', async (t) => {
  const { layers, letGo, storage } = await bench(t);
  const client = new AbortController();
  const first = layers.stage([wanted], { signal: client.signal });
  const second = layers.stage([wanted]);
  const third = layers.stage([wanted]);
  while (storage.begun === 0) await new Promise(setImmediate);
  client.abort(new Error('gone'));
  await t.throwsAsync(first, { message: 'gone' });
  letGo();
  const [one, two] = await Promise.all([second, third]);
  t.deepEqual(one.layers, two.layers);
  t.is(storage.stored.size, 1);
  await one.release();
  t.is(storage.stored.size, 1, 'the other still needs it');
  await two.release();
  t.is(storage.stored.size, 0);
});

test('a layer whose archive tells its digest late is shared all the same', async (t) => {
  const { layers, letGo, storage } = await bench(t);
  const unknown = () => ({ ...wanted, diffId: undefined, source: () => ({ stream: Readable.from([tar]) }) });
  const stages = [layers.stage([unknown()]), layers.stage([unknown()]), layers.stage([wanted])];
  letGo();
  const [one, two, three] = await Promise.all(stages);
  t.deepEqual(one?.layers, two?.layers);
  t.deepEqual(one?.layers, three?.layers);
  t.is(storage.stored.size, 1);
});
