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
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, diskSemaphore, inject, injectable } from '@gantry/core/driver';
import { throwIfAborted } from '@gantry/lib-archive/errors';
import { LayerIndex, LayerStore, type Preparation } from '@gantry/lib-archive/layer-store';
import { isErrno } from '@gantry/lib-linux';
import { Mounts } from '@gantry/lib-linux/mounts';
import { OverlayHost } from './overlay-host.js';
import { OverlayRoots } from './overlay-roots.js';

type Waiting = { readonly signal?: AbortSignal };

/** Layers are directories, and a writable is an overlay of them with one more on top. */
@injectable()
export class OverlayStorage implements StorageDriver {
  /** Known once started. */
  readonly capabilities: StorageCapabilities;
  readonly #archive: ArchiveDriver;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(LayerIndex) private readonly index: LayerIndex,
    @inject(LayerStore) private readonly store: LayerStore,
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(OverlayHost) private readonly host: OverlayHost,
    @inject(OverlayRoots) private readonly roots: OverlayRoots,
  ) {
    this.#archive = archives.get();
    this.capabilities = {
      copyOnWrite: true,
      get quota() {
        return host.noQuota === undefined;
      },
    };
  }

  status(): readonly (readonly [string, string])[] {
    return [
      ['Backing Filesystem', this.host.support.backingFilesystem],
      ['Supports d_type', 'true'],
      ['Native Overlay Diff', 'true'],
      ['userxattr', `${'userxattr' in this.host.support.options}`],
    ];
  }

  applyLayer(request: LayerRequest, { signal }: Waiting = {}): Promise<AppliedLayer> {
    return this.store.addLayer(
      request,
      async ({ chain }, content, journal) => {
        const lower = chain.map((id) => this.index.contentOf(id));
        await this.roots.make(content, lower[0]);
        return this.#archive.extractLayer(request.source, content, {
          whiteouts: 'overlay',
          lower,
          journal,
          ...(request.expectedDiffId !== undefined && { expectedDiffId: request.expectedDiffId }),
          ...(request.onRead !== undefined && { onRead: request.onRead }),
          ...(signal !== undefined && { signal }),
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
    if (size !== undefined) this.roots.checkSize(id, size);
    await this.store.addWritable(id, parent, async (preparation) => {
      if (size === undefined) return this.#fill(preparation);
      await this.roots.limit(preparation.directory, size);
      try {
        await this.#fill(preparation);
      } catch (error) {
        // Without this its project would stay limited, and so in use, after the directory is gone.
        await this.roots.release(preparation.directory);
        throw error;
      }
    });
  }

  removeWritable(id: string): Promise<void> {
    return this.store.removeWritable(id, async (directory) => {
      const inUse = await this.#release(mergedIn(directory));
      await this.roots.release(directory);
      return { inUse };
    });
  }

  async writables(): Promise<readonly StoredLayer[]> {
    return this.index.writables.list();
  }

  mount(id: string, { label }: { readonly label?: string } = {}): Promise<string> {
    return this.store.exclusively(id, async () => {
      const directory = this.index.writableDirectory(id);
      const target = mergedIn(directory);
      if (await this.mounts.isMountPoint(target)) return target;
      const request = {
        lower: this.#lowerOf(id),
        upper: upperIn(directory),
        work: workIn(directory),
        target,
        options: { ...this.host.support.options, ...(label !== undefined && { context: label }) },
      };
      await diskSemaphore.run(() => this.mounts.overlay(request));
      crashPoint('storage.writable.mounted');
      return target;
    });
  }

  unmount(id: string): Promise<void> {
    return this.store.exclusively(id, async () => {
      if (!this.index.hasWritable(id)) return;
      await diskSemaphore.run(() => this.mounts.unmount(mergedIn(this.index.writableDirectory(id))));
      crashPoint('storage.writable.unmounted');
    });
  }

  async changes(id: string, options: Waiting = {}): Promise<readonly PathChange[]> {
    return this.#archive.listChanges(this.#layersOf(id), options);
  }

  async diff(id: string, options: Waiting = {}): Promise<Readable> {
    throwIfAborted(options.signal);
    return this.#archive.packChanges(this.#layersOf(id), options);
  }

  layerSize(id: string): Promise<number> {
    return this.store.layerSize(id);
  }

  async writableSize(id: string, options: Waiting = {}): Promise<number> {
    return this.#archive.treeSize(upperIn(this.index.writableDirectory(id)), options);
  }

  async describe(id: string, kind: 'layer' | 'writable'): Promise<Readonly<Record<string, string>>> {
    const directory = kind === 'layer' ? this.index.layerDirectory(id) : this.index.writableDirectory(id);
    const lower = this.index.chainFrom(this.index.parentOf(id, kind)).map((layer) => this.index.contentOf(layer));
    return {
      ...(lower.length > 0 && { LowerDir: lower.join(':') }),
      MergedDir: mergedIn(directory),
      UpperDir: upperIn(directory),
      WorkDir: workIn(directory),
    };
  }

  #lowerOf(writable: string): readonly string[] {
    const chain = this.index.chainFrom(this.index.parentOf(writable, 'writable'));
    return chain.length === 0 ? [this.host.empty] : chain.map((layer) => this.index.contentOf(layer));
  }

  #layersOf(id: string): { readonly upper: string; readonly lower: readonly string[] } {
    return { upper: upperIn(this.index.writableDirectory(id)), lower: this.#lowerOf(id) };
  }

  async #fill({ directory, chain }: Preparation): Promise<void> {
    const [parent] = chain;
    await Promise.all([
      this.roots.make(upperIn(directory), parent === undefined ? undefined : this.index.contentOf(parent)),
      mkdir(workIn(directory), { mode: 0o700 }),
      mkdir(mergedIn(directory), { mode: 0o700 }),
    ]);
  }

  /** Unmounts. @returns whether a process still uses the mount. */
  async #release(target: string): Promise<boolean> {
    try {
      // Other programs may have mounted over it.
      while (await this.mounts.unmount(target, { detach: 'never' }));
      return false;
    } catch (error) {
      if (!isErrno(error, 'EBUSY')) throw error;
      await this.mounts.unmountTree(target, { detach: 'always' });
      return true;
    }
  }
}

const upperIn = (directory: string): string => join(directory, 'diff');
const workIn = (directory: string): string => join(directory, 'work');
const mergedIn = (directory: string): string => join(directory, 'merged');
