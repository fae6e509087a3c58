import { Readable } from 'node:stream';
import { openDriver } from '@gantry/conformance';
import { silentLogger } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { ImageStore } from '../store/image-store.js';
import { digestOf, tarOf } from '../testing/archives.js';
import { FakeStorage } from '../testing/fake-storage.js';
import { setOf } from '../testing/harness.js';
import { LayerCollector } from './layer-collector.js';
import { LayerStaging, type WantedLayer } from './layer-staging.js';
import { LayersInUse } from './layers-in-use.js';

const tar = await tarOf({ file: 'x' });
const wanted: WantedLayer = { diffId: digestOf(tar), source: () => ({ stream: Readable.from([tar]) }) };

async function harness(t: ExecutionContext) {
  const opened = await openDriver(state);
  t.teardown(() => opened.release());
  const storage = new FakeStorage();
  let open: (value: unknown) => void = () => undefined;
  storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const store = new ImageStore(setOf(opened.driver));
  const inUse = new LayersInUse();
  const collector = new LayerCollector(store, inUse, setOf(storage), silentLogger);
  const layers = new LayerStaging(store, inUse, collector, setOf(storage));
  return { layers, storage, openGate: () => open(undefined) };
}

test('an aborted caller stops waiting for another extraction, which continues', async (t) => {
  const { layers, openGate, storage } = await harness(t);
  const first = layers.stage([wanted]);
  const client = new AbortController();
  const second = layers.stage([wanted], { signal: client.signal });
  client.abort(new Error('gone'));
  await t.throwsAsync(second, { message: 'gone' });
  openGate();
  const { layers: staged, release } = await first;
  t.is(staged.length, 1);
  t.is(storage.begun, 1);
  await release();
  t.is(storage.stored.size, 0, 'nothing took it');
});

test('when a shared extraction fails, one of its waiting callers extracts the layer', async (t) => {
  const { layers, openGate, storage } = await harness(t);
  const client = new AbortController();
  const first = layers.stage([wanted], { signal: client.signal });
  const second = layers.stage([wanted]);
  const third = layers.stage([wanted]);
  while (storage.begun === 0) await new Promise(setImmediate);
  client.abort(new Error('gone'));
  await t.throwsAsync(first, { message: 'gone' });
  openGate();
  const [one, two] = await Promise.all([second, third]);
  t.deepEqual(one.layers, two.layers);
  t.is(storage.stored.size, 1);
  await one.release();
  t.is(storage.stored.size, 1, 'the other still needs it');
  await two.release();
  t.is(storage.stored.size, 0);
});

test('layers whose digests are known only after extraction are shared, too', async (t) => {
  const { layers, openGate, storage } = await harness(t);
  const unknown = () => ({ ...wanted, diffId: undefined, source: () => ({ stream: Readable.from([tar]) }) });
  const stages = [layers.stage([unknown()]), layers.stage([unknown()]), layers.stage([wanted])];
  openGate();
  const [one, two, three] = await Promise.all(stages);
  t.deepEqual(one?.layers, two?.layers);
  t.deepEqual(one?.layers, three?.layers);
  t.is(storage.stored.size, 1);
});
