import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AppliedLayer,
  type ArchiveDriver,
  ArchiveDrivers,
  type LayerRequest,
  type PathChange,
  type StorageCapabilities,
  type StorageDriver,
  type StoredLayer,
  type WritableRequest,
} from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverSet, inject, injectable, type Orphan } from '@gantry/core/driver';
import { DriverSkipped, notImplemented } from '@gantry/core/errors';
import { throwIfAborted } from '@gantry/lib-archive/errors';
import { LayerStore } from '@gantry/lib-archive/layer-store';
import { Processes } from '@gantry/lib-linux/processes';

type Waiting = { readonly signal?: AbortSignal };

/** Every layer and every writable is a whole tree: a copy of its parent's, changed. */
@injectable()
export class VfsStorage implements StorageDriver, DriverLifecycle {
  readonly capabilities: StorageCapabilities = { quota: false, copyOnWrite: false };

  readonly #archive: ArchiveDriver;

  constructor(
    @inject(LayerStore) private readonly store: LayerStore,
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(Processes.token) private readonly processes: Processes,
  ) {
    this.#archive = archives.get();
  }

  /** Rejects DriverSkipped without the right to change the root of a thread. */
  async start(): Promise<void> {
    if (!this.processes.capabilities().has('CAP_SYS_CHROOT')) {
      throw new DriverSkipped('the vfs driver needs CAP_SYS_CHROOT to keep archives inside their directories');
    }
    await this.store.start();
  }

  stop(): Promise<void> {
    return this.store.stop();
  }

  async findOrphans(): Promise<readonly Orphan[]> {
    return this.store.findOrphans();
  }

  status(): readonly (readonly [string, string])[] {
    return [['Copy on Write', 'false: every layer and every container is a full copy']];
  }

  applyLayer(request: LayerRequest, { signal }: Waiting = {}): Promise<AppliedLayer> {
    return this.store.addLayer(
      request,
      async ({ chain }, content, journal) => {
        const waiting = signal === undefined ? {} : { signal };
        await this.#copyOf(chain[0], content, waiting);
        return this.#archive.extractLayer(request.source, content, {
          whiteouts: 'apply',
          journal,
          ...(request.expectedDiffId !== undefined && { expectedDiffId: request.expectedDiffId }),
          ...(request.onRead !== undefined && { onRead: request.onRead }),
          ...waiting,
        });
      },
      signal,
    );
  }

  removeLayer(id: string): Promise<void> {
    return this.store.removeLayer(id);
  }

  async layers(): Promise<readonly StoredLayer[]> {
    return this.store.layers();
  }

  async layerTar(id: string, { signal }: Waiting = {}): Promise<Readable> {
    throwIfAborted(signal);
    return this.store.layerTar(id, signal);
  }

  async createWritable({ id, parent, size }: WritableRequest): Promise<void> {
    if (size !== undefined) throw notImplemented(`StorageOpt size: the vfs driver cannot limit the size of ${id}`);
    await this.store.addWritable(id, parent, ({ directory, chain }) => this.#copyOf(chain[0], treeIn(directory), {}));
  }

  removeWritable(id: string): Promise<void> {
    // Nothing keeps a process that still runs in there from changing it.
    return this.store.removeWritable(id, async () => ({ inUse: true }));
  }

  async writables(): Promise<readonly StoredLayer[]> {
    return this.store.writables();
  }

  /** There is nothing to mount: the tree is the root. */
  async mount(id: string): Promise<string> {
    return this.#treeOf(id);
  }

  async unmount(): Promise<void> {}

  async changes(id: string, options: Waiting = {}): Promise<readonly PathChange[]> {
    return this.#archive.listChanges(this.#treesOf(id), options);
  }

  async diff(id: string, options: Waiting = {}): Promise<Readable> {
    throwIfAborted(options.signal);
    return this.#archive.packChanges(this.#treesOf(id), options);
  }

  layerSize(id: string): Promise<number> {
    return this.store.layerSize(id);
  }

  async writableSize(id: string, options: Waiting = {}): Promise<number> {
    const { tree, base } = this.#treesOf(id);
    return this.#archive.treeSize(tree, { ...options, ...(base !== undefined && { base }) });
  }

  async describe(id: string, kind: 'layer' | 'writable'): Promise<Readonly<Record<string, string>>> {
    if (kind === 'layer') this.store.layerDirectory(id);
    else this.store.writableDirectory(id);
    return {};
  }

  async #copyOf(layer: string | undefined, to: string, waiting: Waiting): Promise<void> {
    await mkdir(to, { mode: 0o755 });
    if (layer !== undefined) await this.#archive.copyTree(this.store.contentOf(layer), to, waiting);
  }

  #treeOf(writable: string): string {
    return treeIn(this.store.writableDirectory(writable));
  }

  #treesOf(writable: string): { readonly tree: string; readonly base: string | undefined } {
    const parent = this.store.parentOf(writable, 'writable');
    const tree = this.#treeOf(writable);
    return { tree, base: parent === undefined ? undefined : this.store.contentOf(parent) };
  }
}

const treeIn = (directory: string): string => join(directory, 'diff');
