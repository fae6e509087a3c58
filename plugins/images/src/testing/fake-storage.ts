import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import {
  type AppliedLayer,
  type LayerRequest,
  type StorageDriver,
  StorageDrivers,
  type StoredLayer,
} from '@gantry/core/contracts';
import { type DriverDefinition, defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound, notImplemented } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { extract } from 'tar-stream';

/** No test of images makes a container. */
function noWritables(): never {
  throw notImplemented('the fake storage has no writable layers');
}

/** Layers that are read, measured and kept as they are. Outlives the engines of one test, as a disk does. */
export class FakeStorage implements StorageDriver {
  readonly stored = new Map<string, StoredLayer & { readonly tar?: Buffer }>();
  /** Tars that are open. */
  readonly open = new Set<Readable>();
  /** Extractions that were begun. */
  begun = 0;
  /** Waited for in the middle of every extraction. */
  gate: Promise<unknown> = Promise.resolve();
  /** Layers that containers stand on. */
  readonly inUse = new Set<string>();
  readonly capabilities = { quota: false, copyOnWrite: false };
  readonly createWritable = noWritables;
  readonly removeWritable = noWritables;
  readonly mount = noWritables;
  readonly unmount = noWritables;
  readonly changes = noWritables;
  readonly diff = noWritables;
  readonly writableSize = noWritables;

  status(): readonly (readonly [string, string])[] {
    return [];
  }

  async applyLayer(layer: LayerRequest, { signal }: { signal?: AbortSignal } = {}): Promise<AppliedLayer> {
    this.begun += 1;
    const { id, parent, source, expectedDiffId } = layer;
    if (parent !== undefined && !this.stored.has(parent)) throw notFound(`no layer ${parent}`);
    const input: Readable = 'stream' in source ? source.stream : createReadStream(source.file);
    const raw = await buffer(input);
    await Promise.race([this.gate, aborted(signal)]);
    const tar = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
    const diffId = `sha256:${hexOf(createHash('sha256').update(tar))}`;
    if (expectedDiffId !== undefined && diffId !== expectedDiffId) {
      throw invalidArgument(`the layer has digest ${diffId}, not ${expectedDiffId}`);
    }
    const size = await sizeOf(tar);
    this.stored.set(id, { id, parent, tar });
    return { diffId, size, tarSize: tar.length };
  }

  async removeLayer(id: string): Promise<void> {
    if (this.inUse.has(id) || [...this.stored.values()].some(({ parent }) => parent === id)) {
      throw conflict(`layer ${id} is in use`);
    }
    this.stored.delete(id);
  }

  async layers(): Promise<readonly StoredLayer[]> {
    return [...this.stored.values()].map(({ id, parent }) => ({ id, parent }));
  }

  async writables(): Promise<readonly StoredLayer[]> {
    return [...this.inUse].map((parent) => ({ id: `on-${parent}`, parent }));
  }

  async layerSize(id: string): Promise<number> {
    return this.stored.get(id)?.tar?.length ?? 0;
  }

  async layerTar(id: string): Promise<Readable> {
    const tar = this.stored.get(id)?.tar;
    if (tar === undefined) throw notFound(`no layer ${id}`);
    const stream = Readable.from(piecesOf(tar), { objectMode: false });
    this.open.add(stream);
    stream.once('close', () => this.open.delete(stream));
    return stream;
  }

  async describe(id: string): Promise<Readonly<Record<string, string>>> {
    return { UpperDir: `/fake/${id}` };
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

const hexOf = (hash: Hash): string => hash.digest('hex');

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal?.aborted === true) reject(signal.reason);
  });
}

async function sizeOf(tar: Buffer): Promise<number> {
  const entries = extract();
  entries.end(tar);
  let size = 0;
  try {
    for await (const entry of entries) {
      size += entry.header.size ?? 0;
      entry.resume();
    }
  } catch (cause) {
    throw invalidArgument('the layer is no tar archive', { cause });
  }
  return size;
}

/** The definition that hands out a given driver. */
export const fakeStorage = (driver: FakeStorage): DriverDefinition<FakeStorage> =>
  defineDriver({
    id: 'fake',
    provides: StorageDrivers as never,
    configSchema: Type.Object({}),
    create: () => driver,
  });
