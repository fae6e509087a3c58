import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import {
  type AppliedLayer,
  type LayerRequest,
  type PathChange,
  type StorageCapabilities,
  type StorageDriver,
  StorageDrivers,
  type StoredLayer,
  type WritableRequest,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound, notImplemented, unavailable } from '@gantry/core/errors';
import type { ByteString } from '@gantry/lib-archive/tar';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';
import { type Difference, differences, rootDiffers } from './storage/differences.js';
import { type Found, materialise, scan } from './storage/host-directory.js';
import { aborted, diffIdOf, membersOf, readSource } from './storage/layer-archive.js';
import { MemoryTree } from './storage/memory-tree.js';
import { packDifferences } from './storage/pack-differences.js';

interface Layer {
  readonly parent: string | undefined;
  readonly archive: Buffer;
  readonly tree: MemoryTree;
  readonly size: number;
}

interface Writable {
  readonly parent: string | undefined;
  /** How it was when it was new. */
  readonly before: ReadonlyMap<ByteString, Found>;
}

interface Disk {
  readonly layers: Map<string, Layer>;
  readonly writables: Map<string, Writable>;
  /** The driver that may write: the last that was made. */
  owner: object | undefined;
}

type Waiting = { readonly signal?: AbortSignal };

/**
 * Layers in memory. A writable is an ordinary directory with a copy of everything, so that it has a path; nothing is
 * mounted. Without root, owners, devices and some attributes are not there.
 */
class MemoryStorage implements StorageDriver {
  readonly capabilities: StorageCapabilities = { quota: false, copyOnWrite: false };
  readonly #pending = new Map<string, string | undefined>();

  constructor(
    private readonly directory: string,
    private readonly disk: Disk,
  ) {
    disk.owner = this;
  }

  status(): readonly (readonly [string, string])[] {
    return [['Layers', String(this.disk.layers.size)]];
  }

  async applyLayer(request: LayerRequest, { signal }: Waiting = {}): Promise<AppliedLayer> {
    const { id, parent, source } = request;
    const stream = 'stream' in source ? source.stream : undefined;
    stream?.on('error', () => undefined);
    try {
      checkId(id);
      if (this.disk.layers.has(id) || this.#pending.has(id)) throw conflict(`layer ${id} exists already`);
      if (parent !== undefined) this.#layer(parent);
      this.#pending.set(id, parent);
      try {
        return await this.#apply(request, signal);
      } finally {
        this.#pending.delete(id);
      }
    } finally {
      stream?.destroy();
    }
  }

  async removeLayer(id: string): Promise<void> {
    if (!this.disk.layers.has(id)) return;
    const children = [...this.disk.layers.values(), ...this.disk.writables.values()].map(({ parent }) => parent);
    if ([...children, ...this.#pending.values()].includes(id)) throw conflict(`layer ${id} is in use`);
    this.disk.layers.delete(id);
  }

  async layers(): Promise<readonly StoredLayer[]> {
    return [...this.disk.layers].map(([id, { parent }]) => ({ id, parent }));
  }

  async layerTar(id: string, { signal }: Waiting = {}): Promise<Readable> {
    return streamOf([this.#layer(id).archive], signal);
  }

  async createWritable({ id, parent, size }: WritableRequest): Promise<void> {
    checkId(id);
    if (size !== undefined) throw notImplemented(`StorageOpt size: the memory driver cannot limit the size of ${id}`);
    if (this.disk.writables.has(id)) throw conflict(`writable layer ${id} exists already`);
    const tree = parent === undefined ? new MemoryTree() : this.#layer(parent).tree;
    const root = this.#rootOf(id);
    mkdirSync(root, { recursive: true });
    materialise(tree, root);
    this.disk.writables.set(id, { parent, before: scan(root) });
  }

  async removeWritable(id: string): Promise<void> {
    if (!this.disk.writables.delete(id)) return;
    rmSync(this.#rootOf(id), { recursive: true, force: true });
  }

  async writables(): Promise<readonly StoredLayer[]> {
    return [...this.disk.writables].map(([id, { parent }]) => ({ id, parent }));
  }

  async mount(id: string): Promise<string> {
    this.#writable(id);
    return this.#rootOf(id);
  }

  async unmount(): Promise<void> {}

  async changes(id: string, { signal }: Waiting = {}): Promise<readonly PathChange[]> {
    if (signal?.aborted === true) throw aborted();
    return this.#differences(id).changes.map(({ path, kind }) => ({
      path: `/${Buffer.from(path, 'latin1').toString()}`,
      kind,
    }));
  }

  async diff(id: string, { signal }: Waiting = {}): Promise<Readable> {
    const { changes, now } = this.#differences(id);
    const root: Difference[] = rootDiffers(this.#writable(id).before, now) ? [{ path: '', kind: 'modified' }] : [];
    return streamOf(packDifferences(this.#rootOf(id), [...root, ...changes], now), signal);
  }

  async layerSize(id: string): Promise<number> {
    return this.#layer(id).size;
  }

  async writableSize(id: string, { signal }: Waiting = {}): Promise<number> {
    if (signal?.aborted === true) throw aborted();
    const { changes, now } = this.#differences(id);
    const files = changes.flatMap(({ path }) => now.get(path)?.status ?? []).filter((status) => !status.isDirectory());
    return files.reduce((sum, { size }) => sum + Number(size), 0);
  }

  async describe(id: string, kind: 'layer' | 'writable'): Promise<Readonly<Record<string, string>>> {
    if (kind === 'layer') this.#layer(id);
    else this.#writable(id);
    return {};
  }

  async #apply({ id, parent, source, expectedDiffId }: LayerRequest, signal?: AbortSignal): Promise<AppliedLayer> {
    const archive = await readSource(source, signal);
    const diffId = diffIdOf(archive);
    const members = membersOf(archive);
    const tree = new MemoryTree(parent === undefined ? undefined : this.#layer(parent).tree);
    tree.apply(members);
    if (expectedDiffId !== undefined && expectedDiffId !== diffId) {
      throw invalidArgument(`the layer's digest is ${diffId}, but ${expectedDiffId} was expected`);
    }
    if (signal?.aborted === true) throw aborted();
    if (this.disk.owner !== this) throw unavailable('another driver has these layers now');
    // Of a name that comes twice the last counts.
    const sizes = new Map(
      members.map(({ entry, content }) => [
        entry.name,
        entry.type === 'symlink' ? entry.linkName.length : content.length,
      ]),
    );
    const size = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    this.disk.layers.set(id, { parent, archive, tree, size });
    return { diffId, size, tarSize: archive.length };
  }

  #differences(id: string): { readonly changes: readonly Difference[]; readonly now: ReadonlyMap<string, Found> } {
    const { before } = this.#writable(id);
    const now = scan(this.#rootOf(id));
    return { changes: differences(before, now), now };
  }

  #layer(id: string): Layer {
    const layer = this.disk.layers.get(id);
    if (layer === undefined) throw notFound(`layer ${id} does not exist`);
    return layer;
  }

  #writable(id: string): Writable {
    const writable = this.disk.writables.get(id);
    if (writable === undefined) throw notFound(`writable layer ${id} does not exist`);
    return writable;
  }

  #rootOf(id: string): string {
    return join(this.directory, 'writables', id);
  }
}

function streamOf(pieces: readonly Buffer[], signal: AbortSignal | undefined): Readable {
  const stream = Readable.from(inParts(pieces), { objectMode: false });
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}

function* inParts(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 65_536) yield piece.subarray(at, at + 65_536);
  }
}

function checkId(id: string): void {
  if (!/^[a-z0-9][a-z0-9_-]{0,127}$/.test(id)) throw invalidArgument(`"${id}" is not a storage id`);
}

export const storage = defineDriver({
  id: 'memory',
  provides: StorageDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: ({ dirs }) =>
    new MemoryStorage(
      dirs.root,
      onDisk(dirs.root, 'storage', (): Disk => ({ layers: new Map(), writables: new Map(), owner: undefined })),
    ),
});
