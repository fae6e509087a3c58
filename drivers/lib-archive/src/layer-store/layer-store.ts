import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AppliedLayer,
  type ArchiveDriver,
  ArchiveDrivers,
  type LayerJournal,
  type LayerRequest,
  type StoredLayer,
} from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import {
  type DriverSet,
  diskSemaphore,
  inject,
  injectable,
  KeyedMutex,
  Logger,
  type Orphan,
  PackageDirectories,
} from '@gantry/core/driver';
import { conflict, EngineError, notFound } from '@gantry/core/errors';
import { codeOf, kindOfErrno, throwIfAborted } from '../errors/index.js';
import { checkStorageId } from './check-storage-id.js';
import { Discarded } from './discarded.js';
import { DiskSync, syncDirectory } from './disk-sync.js';
import { EntryIndex } from './entry-index.js';

/** A directory where an entry is made before it appears. */
export interface Preparation {
  readonly directory: string;
  /** Ids of its parent layers, topmost first. */
  readonly chain: readonly string[];
}

/**
 * Layers and writables as directories, for storage drivers: their index, their parents, and how they appear and disappear
 * atomically. Layout: `layers/ID/{diff, journal.gz, payloads, layer.json, parent}`,
 * `writables/ID/{…, parent}`, and `tmp`, which is emptied at each start.
 */
@injectable()
export class LayerStore {
  readonly #archive: ArchiveDriver;
  readonly #root: string;
  readonly #layers: EntryIndex;
  readonly #writables: EntryIndex;
  readonly #discarded: Discarded;
  readonly #sync: DiskSync;
  readonly #serial = new KeyedMutex();
  /** Layers that are being made. */
  readonly #pending = new Set<string>();
  /** Parents of layers and writables that are being made. */
  readonly #held: string[] = [];
  readonly #facts = new Map<string, AppliedLayer>();

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(Logger) log: Logger,
  ) {
    this.#archive = archives.get();
    this.#root = root;
    this.#layers = new EntryIndex(join(root, 'layers'));
    this.#writables = new EntryIndex(join(root, 'writables'));
    this.#discarded = new Discarded(join(root, 'tmp'), this.#archive, log);
    this.#sync = new DiskSync(root);
  }

  /** Deletes what a crash left incomplete, and loads the index. */
  async start(): Promise<void> {
    // Other users of the host must not read containers' files (CVE-2021-41091).
    await mkdir(this.#root, { recursive: true });
    await chmod(this.#root, 0o700);
    await this.#discarded.clear();
    await Promise.all([this.#layers.load(), this.#writables.load()]);
  }

  /** Waits for removals in progress. */
  stop(): Promise<void> {
    return this.#discarded.cleared();
  }

  /** What could not be removed since the start. */
  findOrphans(): readonly Orphan[] {
    return this.#discarded.findOrphans();
  }

  layers(): readonly StoredLayer[] {
    return this.#layers.list();
  }

  writables(): readonly StoredLayer[] {
    return this.#writables.list();
  }

  hasWritable(id: string): boolean {
    return this.#writables.has(id);
  }

  /** @throws EngineError `not-found`. */
  layerDirectory(id: string): string {
    if (!this.#layers.has(id)) throw notFound(`layer ${id} does not exist`);
    return this.#layers.path(id);
  }

  /** @throws EngineError `not-found`. */
  writableDirectory(id: string): string {
    if (!this.#writables.has(id)) throw notFound(`writable layer ${id} does not exist`);
    return this.#writables.path(id);
  }

  /** The files a layer consists of. */
  contentOf(layer: string): string {
    return join(this.#layers.path(layer), 'diff');
  }

  /** A layer, its parent, and so on. */
  chainFrom(layer: string | undefined): readonly string[] {
    const chain: string[] = [];
    for (let id = layer; id !== undefined; id = this.#layers.parentOf(id)) chain.push(id);
    return chain;
  }

  parentOf(id: string, kind: 'layer' | 'writable'): string | undefined {
    return (kind === 'layer' ? this.#layers : this.#writables).parentOf(id);
  }

  /**
   * Makes a layer. `extract` fills `diff` of the preparation, which it makes, and writes the journal. The layer appears
   * when everything is on the disk; on rejection nothing is left and a stream is destroyed.
   */
  async addLayer(
    request: LayerRequest,
    extract: (preparation: Preparation, content: string, journal: LayerJournal) => Promise<AppliedLayer>,
    signal?: AbortSignal,
  ): Promise<AppliedLayer> {
    const { id, parent } = request;
    // It may fail before its reader listens; the reader gets the error all the same.
    if ('stream' in request.source) request.source.stream.on('error', () => undefined);
    try {
      this.#checkNewLayer(id, parent);
      throwIfAborted(signal);
      this.#pending.add(id);
      try {
        // After the removal of an older one of that id.
        return await this.#serial.run(`layer ${id}`, () =>
          this.#holding(parent, () => this.#makeLayer(id, parent, extract, signal)),
        );
      } finally {
        this.#pending.delete(id);
      }
    } finally {
      if ('stream' in request.source) request.source.stream.destroy();
    }
  }

  /** As the contract has it. */
  async removeLayer(id: string): Promise<void> {
    checkStorageId(id);
    if (!this.#layers.has(id)) return;
    const child = this.#layers.childOf(id) ?? this.#writables.childOf(id);
    if (child !== undefined) throw conflict(`layer ${id} is in use: it is the parent of ${child}`);
    if (this.#held.includes(id)) throw conflict(`layer ${id} is in use: a layer or a container is being made on it`);
    const trash = this.#discarded.newPath(id);
    this.#facts.delete(id);
    const taken = this.#layers.moveOut(id, trash);
    await this.#serial.run(`layer ${id}`, () => taken);
    crashPoint('storage.layer.taken');
    await this.#discarded.remove(trash);
  }

  /** The archive the layer was made from. */
  layerTar(id: string, signal?: AbortSignal): Readable {
    const directory = this.layerDirectory(id);
    return this.#archive.layerTar(this.contentOf(id), journalIn(directory), signal === undefined ? {} : { signal });
  }

  /** Sum of the sizes of its files. */
  async layerSize(id: string): Promise<number> {
    const known = this.#facts.get(id);
    if (known !== undefined) return known.size;
    const facts = JSON.parse(await readFile(factsIn(this.layerDirectory(id)), 'utf8')) as AppliedLayer;
    this.#facts.set(id, facts);
    return facts.size;
  }

  /** Makes a writable. `fill` makes what it consists of. On rejection nothing is left. */
  addWritable(
    id: string,
    parent: string | undefined,
    fill: (preparation: Preparation) => Promise<void>,
  ): Promise<void> {
    return this.exclusively(id, async () => {
      checkStorageId(id);
      if (this.#writables.has(id)) throw conflict(`writable layer ${id} exists already`);
      if (parent !== undefined) this.layerDirectory(parent);
      await this.#holding(parent, () => this.#makeWritable(id, parent, fill));
    });
  }

  /**
   * Removes a writable. `release` unmounts it and returns whether a process may still change its files.
   */
  removeWritable(id: string, release: (directory: string) => Promise<{ readonly inUse: boolean }>): Promise<void> {
    return this.exclusively(id, async () => {
      checkStorageId(id);
      if (!this.#writables.has(id)) return;
      const trash = this.#discarded.newPath(id);
      const { inUse } = await diskSemaphore.run(async () => {
        const released = await release(this.#writables.path(id));
        await this.#writables.moveOut(id, trash);
        return released;
      });
      crashPoint('storage.writable.taken');
      await this.#discarded.remove(trash, { inUse });
    });
  }

  /** Serializes the operations on one writable. */
  exclusively<T>(writable: string, action: () => Promise<T>): Promise<T> {
    return this.#serial.run(`writable ${writable}`, action);
  }

  #checkNewLayer(id: string, parent: string | undefined): void {
    checkStorageId(id);
    if (this.#layers.has(id) || this.#pending.has(id)) throw conflict(`layer ${id} exists already`);
    if (parent !== undefined) this.layerDirectory(parent);
  }

  /** Keeps a layer from being removed during an action. */
  async #holding<T>(layer: string | undefined, action: () => Promise<T>): Promise<T> {
    if (layer === undefined) return action();
    this.#held.push(layer);
    try {
      return await action();
    } finally {
      this.#held.splice(this.#held.indexOf(layer), 1);
    }
  }

  #makeWritable(
    id: string,
    parent: string | undefined,
    fill: (preparation: Preparation) => Promise<void>,
  ): Promise<void> {
    return this.#prepared(id, (directory) =>
      diskSemaphore.run(async () => {
        await fill({ directory, chain: this.chainFrom(parent) });
        crashPoint('storage.writable.prepared');
        await this.#writables.add(id, parent, directory);
        crashPoint('storage.writable.added');
        await syncDirectory(this.#writables.directory);
      }),
    );
  }

  #makeLayer(
    id: string,
    parent: string | undefined,
    extract: (preparation: Preparation, content: string, journal: LayerJournal) => Promise<AppliedLayer>,
    signal: AbortSignal | undefined,
  ): Promise<AppliedLayer> {
    return this.#prepared(id, async (directory) => {
      const preparation = { directory, chain: this.chainFrom(parent) };
      const { diffId, size, tarSize } = await extract(preparation, join(directory, 'diff'), journalIn(directory));
      crashPoint('storage.layer.extracted');
      await writeFile(factsIn(directory), JSON.stringify({ diffId, size, tarSize }));
      await this.#sync.all();
      throwIfAborted(signal);
      crashPoint('storage.layer.prepared');
      await this.#layers.add(id, parent, directory);
      crashPoint('storage.layer.added');
      await syncDirectory(this.#layers.directory);
      return { diffId, size, tarSize };
    });
  }

  /** Runs an action in a new directory, which is deleted if the action fails. */
  async #prepared<T>(id: string, action: (directory: string) => Promise<T>): Promise<T> {
    const directory = this.#discarded.newPath(id);
    try {
      await diskSemaphore.run(() => mkdir(directory, { mode: 0o700 }));
      return await action(directory);
    } catch (error) {
      await this.#discarded.remove(directory);
      if (EngineError.is(error) || !(error instanceof Error) || error.name === 'AbortError') throw error;
      throw new EngineError(kindOfErrno(codeOf(error)), error.message, { cause: error });
    }
  }
}

const factsIn = (directory: string): string => join(directory, 'layer.json');

const journalIn = (directory: string): LayerJournal => ({
  file: join(directory, 'journal.gz'),
  payloads: join(directory, 'payloads'),
});
