import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AppliedLayer,
  type ArchiveDriver,
  ArchiveDrivers,
  hostRoot,
  IdMappings,
  type LayerRequest,
  type PathChange,
  type StorageCapabilities,
  type StorageDriver,
  type StoredLayer,
  type WritableRequest,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { notImplemented } from '@gantry/core/errors';
import { throwIfAborted } from '@gantry/lib-archive/errors';
import { LayerIndex, LayerStore } from '@gantry/lib-archive/layer-store';
import { SELinux } from '@gantry/lib-linux/selinux';

type Waiting = { readonly signal?: AbortSignal };

/** Every layer and every writable is a whole tree: a copy of its parent's, changed. */
@injectable()
export class VfsStorage implements StorageDriver {
  readonly capabilities: StorageCapabilities = { quota: false, copyOnWrite: false };

  readonly #archive: ArchiveDriver;

  constructor(
    @inject(LayerIndex) private readonly index: LayerIndex,
    @inject(LayerStore) private readonly store: LayerStore,
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(IdMappings) private readonly idMappings: IdMappings,
    @inject(SELinux.token) private readonly selinux: Pick<SELinux, 'relabel'>,
  ) {
    this.#archive = archives.get();
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
    return this.index.layers.list();
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
    return this.index.writables.list();
  }

  /** There is nothing to mount: the tree is the root, whose files have the label. */
  async mount(id: string, { label }: { readonly label?: string } = {}): Promise<string> {
    if (label !== undefined) await this.selinux.relabel(this.#treeOf(id), label);
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
    if (kind === 'layer') this.index.layerDirectory(id);
    else this.index.writableDirectory(id);
    return {};
  }

  async #copyOf(layer: string | undefined, to: string, waiting: Waiting): Promise<void> {
    await mkdir(to, { mode: 0o755 });
    if (layer !== undefined) return this.#archive.copyTree(this.index.contentOf(layer), to, waiting);
    const { uid, gid } = hostRoot(this.idMappings);
    if (uid !== 0 || gid !== 0) await chown(to, uid, gid);
  }

  #treeOf(writable: string): string {
    return treeIn(this.index.writableDirectory(writable));
  }

  #treesOf(writable: string): { readonly tree: string; readonly base: string | undefined } {
    const parent = this.index.parentOf(writable, 'writable');
    const tree = this.#treeOf(writable);
    return { tree, base: parent === undefined ? undefined : this.index.contentOf(parent) };
  }
}

const treeIn = (directory: string): string => join(directory, 'diff');
