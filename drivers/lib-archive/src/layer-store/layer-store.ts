import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AppliedLayer,
  type ArchiveDriver,
  ArchiveDrivers,
  IdMappings,
  type LayerJournal,
  type LayerRequest,
} from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import {
  type DriverLifecycle,
  type DriverSet,
  diskSemaphore,
  inject,
  injectable,
  KeyedMutex,
  Logger,
  type Orphan,
  PackageDirectories,
  untilAborted,
} from '@gantry/core/driver';
import { conflict, EngineError } from '@gantry/core/errors';
import { Files } from '@gantry/lib-linux/files';
import { codeOf, kindOfErrno, throwIfAborted } from '../errors/index.js';
import { checkStorageId } from './check-storage-id.js';
import { Discarded } from './discarded.js';
import { DiskSync, syncDirectory } from './disk-sync.js';
import { LayerIndex } from './layer-index.js';
import { makeSearchable } from './make-searchable.js';

/** A directory where an entry is made before it appears. */
export interface Preparation {
  readonly directory: string;
  /** Ids of its parent layers, topmost first. */
  readonly chain: readonly string[];
}

/**
 * Layers and writables as directories, for storage drivers: how they appear and disappear atomically. Layout:
 * `layers/ID/{diff, journal.gz, payloads, layer.json, parent}`, `writables/ID/{…, parent}`, and `tmp`, which is emptied at
 * each start. Its hooks are for the driver's package to register.
 */
@injectable()
export class LayerStore implements DriverLifecycle {
  readonly #archive: ArchiveDriver;
  readonly #root: string;
  readonly #discarded: Discarded;
  readonly #sync: DiskSync;
  readonly #serial = new KeyedMutex();
  /** Layers that are being made. */
  readonly #pending = new Set<string>();
  /** Parents of layers and writables that are being made. */
  readonly #held: string[] = [];
  readonly #facts = new Map<string, AppliedLayer>();

  constructor(
    @inject(LayerIndex) private readonly index: LayerIndex,
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(Files.token) files: Files,
    @inject(Logger) log: Logger,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {
    this.#archive = archives.get();
    this.#root = root;
    this.#discarded = new Discarded(join(root, 'tmp'), this.#archive, log);
    this.#sync = new DiskSync(files, root);
  }

  /** Deletes what a crash left incomplete, and loads the index. */
  async start(): Promise<void> {
    // Other users of the host must not read containers' files (CVE-2021-41091).
    await mkdir(this.#root, { recursive: true });
    await chmod(this.#root, 0o700);
    await makeSearchable(this.#root, this.idMappings);
    await this.#discarded.clear();
    await this.index.load();
    await makeSearchable(this.index.writables.directory, this.idMappings);
  }

  /** Waits for what is being deleted in the background, until the signal aborts: the next start deletes the rest. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#discarded.cleared(), untilAborted(signal)]);
  }

  /** What could not be removed since the start. */
  async findOrphans(): Promise<readonly Orphan[]> {
    return this.#discarded.findOrphans();
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
    if (!this.index.layers.has(id)) return;
    const child = this.index.layers.childOf(id) ?? this.index.writables.childOf(id);
    if (child !== undefined) throw conflict(`layer ${id} is in use: it is the parent of ${child}`);
    if (this.#held.includes(id)) throw conflict(`layer ${id} is in use: a layer or a container is being made on it`);
    const trash = this.#discarded.newPath(id);
    this.#facts.delete(id);
    const taken = this.index.layers.moveOut(id, trash);
    await this.#serial.run(`layer ${id}`, () => taken);
    crashPoint('storage.layer.taken');
    await this.#discarded.remove(trash);
  }

  /** The archive the layer was made from. */
  layerTar(id: string, signal?: AbortSignal): Readable {
    const directory = this.index.layerDirectory(id);
    return this.#archive.layerTar(
      this.index.contentOf(id),
      journalIn(directory),
      signal === undefined ? {} : { signal },
    );
  }

  /** Sum of the sizes of its files. */
  async layerSize(id: string): Promise<number> {
    const known = this.#facts.get(id);
    if (known !== undefined) return known.size;
    const facts = JSON.parse(await readFile(factsIn(this.index.layerDirectory(id)), 'utf8')) as AppliedLayer;
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
      if (this.index.writables.has(id)) throw conflict(`writable layer ${id} exists already`);
      if (parent !== undefined) this.index.layerDirectory(parent);
      await this.#holding(parent, () => this.#makeWritable(id, parent, fill));
    });
  }

  /**
   * Removes a writable; its files are deleted in the background, by the next start at the latest. `release` unmounts it
   * and returns whether a process may still change its files.
   */
  removeWritable(id: string, release: (directory: string) => Promise<{ readonly inUse: boolean }>): Promise<void> {
    return this.exclusively(id, async () => {
      checkStorageId(id);
      if (!this.index.writables.has(id)) return;
      const trash = this.#discarded.newPath(id);
      const { inUse } = await diskSemaphore.run(async () => {
        const released = await release(this.index.writables.path(id));
        await this.index.writables.moveOut(id, trash);
        return released;
      });
      crashPoint('storage.writable.taken');
      this.#discarded.removeLater(trash, { inUse });
    });
  }

  /** Serializes the operations on one writable. */
  exclusively<T>(writable: string, action: () => Promise<T>): Promise<T> {
    return this.#serial.run(`writable ${writable}`, action);
  }

  #checkNewLayer(id: string, parent: string | undefined): void {
    checkStorageId(id);
    if (this.index.layers.has(id) || this.#pending.has(id)) throw conflict(`layer ${id} exists already`);
    if (parent !== undefined) this.index.layerDirectory(parent);
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
        await fill({ directory, chain: this.index.chainFrom(parent) });
        await makeSearchable(directory, this.idMappings);
        crashPoint('storage.writable.prepared');
        await this.index.writables.add(id, parent, directory);
        crashPoint('storage.writable.added');
        await syncDirectory(this.index.writables.directory);
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
      const preparation = { directory, chain: this.index.chainFrom(parent) };
      const { diffId, size, tarSize } = await extract(preparation, join(directory, 'diff'), journalIn(directory));
      crashPoint('storage.layer.extracted');
      await writeFile(factsIn(directory), JSON.stringify({ diffId, size, tarSize }));
      await this.#sync.all();
      throwIfAborted(signal);
      crashPoint('storage.layer.prepared');
      await this.index.layers.add(id, parent, directory);
      crashPoint('storage.layer.added');
      await syncDirectory(this.index.layers.directory);
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
