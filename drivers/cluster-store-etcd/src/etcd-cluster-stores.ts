import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterStore, ClusterStoreDriver, CreateStoreOptions } from '@gantry/core/contracts';
import {
  Config,
  type DriverLifecycle,
  inject,
  injectable,
  Logger,
  Mutex,
  PackageDirectories,
  replaceFile,
} from '@gantry/core/driver';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { Launcher, programPath } from '@gantry/lib-linux/launcher';
import type { EtcdConfig } from './config.js';
import { EtcdProcess } from './process/etcd-process.js';
import type { OpenedEtcd } from './store/open-etcd.js';

/** What is kept of a store beside etcd's data. The file is there as long as the store. */
interface StoreFile {
  readonly id: string;
  readonly memberName: string;
}

interface OpenStore {
  readonly etcd: EtcdProcess;
  readonly opened: OpenedEtcd;
}

/** Stores that this process has open, by directory: one that was abandoned there is closed before another is opened. */
const openStores = new Map<string, () => Promise<void>>();

/** The store of this engine's swarm in etcd, which is only started while there is one. */
@injectable()
export class EtcdClusterStores implements ClusterStoreDriver, DriverLifecycle {
  readonly capabilities = { durable: true, members: false, maxChanges: 1000, history: 1000 };
  readonly #mutex = new Mutex();
  readonly #file: string;
  readonly #data: string;
  #open: OpenStore | undefined;

  constructor(
    @inject(PackageDirectories) private readonly dirs: PackageDirectories,
    @inject(Config) private readonly config: EtcdConfig,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#file = join(dirs.root, 'store.json');
    this.#data = join(dirs.root, 'data');
  }

  exists(): boolean {
    return existsSync(this.#file);
  }

  create({ name, signal }: CreateStoreOptions): Promise<ClusterStore> {
    return this.#mutex.run(async () => {
      if (this.exists()) throw conflict('there is a cluster store already');
      const file: StoreFile = { id: randomUUID(), memberName: name };
      await rm(this.#data, { recursive: true, force: true }); // of a creation that a crash interrupted
      await mkdir(this.#data, { recursive: true, mode: 0o700 });
      const store = await this.#start(file, signal);
      await replaceFile(this.#file, JSON.stringify(file), { mode: 0o600, flush: true });
      return store;
    });
  }

  open({ signal }: { readonly signal?: AbortSignal } = {}): Promise<ClusterStore> {
    return this.#mutex.run(async () => this.#open?.opened.store ?? this.#start(await this.#read(), signal));
  }

  recover({ signal }: { readonly signal?: AbortSignal } = {}): Promise<ClusterStore> {
    return this.#mutex.run(async () => {
      const file = await this.#read();
      await this.#close();
      return this.#start(file, signal, ['--force-new-cluster']);
    });
  }

  destroy(): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#close();
      await rm(this.#file, { force: true });
      await rm(this.#data, { recursive: true, force: true });
    });
  }

  stop(): Promise<void> {
    return this.#mutex.run(() => this.#close());
  }

  async #start(file: StoreFile, signal?: AbortSignal, flags: readonly string[] = []): Promise<ClusterStore> {
    const program = await this.#program();
    await openStores.get(this.dirs.root)?.();
    const etcd = new EtcdProcess({
      program,
      memberName: file.memberName,
      dataDirectory: this.#data,
      socketDirectory: join(this.dirs.state, 'etcd'),
      quotaBytes: this.config.quotaBytes,
      launcher: this.launcher,
      log: this.log,
    });
    etcd.start(flags);
    try {
      // The client library is only loaded by engines that are in a swarm.
      const { openEtcd } = await import('./store/open-etcd.js');
      const { id } = file;
      const opened = await openEtcd({ id, etcd, capabilities: this.capabilities, log: this.log, signal });
      this.#open = { etcd, opened };
      openStores.set(this.dirs.root, () => this.#close());
      return opened.store;
    } catch (error) {
      await etcd.stop();
      throw error;
    }
  }

  async #program(): Promise<string> {
    const { program } = this.config;
    try {
      return await programPath(program);
    } catch (cause) {
      throw unavailable(
        `swarms need etcd, and there is no program "${program}": install it, on Debian the package etcd-server`,
        { cause },
      );
    }
  }

  async #close(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    openStores.delete(this.dirs.root);
    await open.opened.close();
    await open.etcd.stop();
  }

  async #read(): Promise<StoreFile> {
    if (!this.exists()) throw notFound('there is no cluster store');
    try {
      return JSON.parse(await readFile(this.#file, 'utf8')) as StoreFile;
    } catch (cause) {
      throw unavailable(`the cluster store cannot be read from ${this.#file}`, { cause });
    }
  }
}
