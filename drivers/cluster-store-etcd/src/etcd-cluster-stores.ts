import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type {
  ClusterStore,
  ClusterStoreDriver,
  CreateStoreOptions,
  JoinStoreOptions,
  MemberTransport,
  OpenStoreOptions,
} from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
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
import { joinConnections } from '@gantry/core/streams';
import { Launcher, programPath } from '@gantry/lib-linux/launcher';
import type { EtcdConfig } from './config.js';
import { EtcdProcess } from './process/etcd-process.js';
import { PeerSockets } from './process/peer-sockets.js';
import { restoreAlone, restoringProgram } from './process/restore-alone.js';
import type { OpenedEtcd } from './store/open-etcd.js';

/** What is kept of a store beside etcd's data. The file is there as long as the store. */
interface StoreFile {
  readonly id: string;
  readonly memberName: string;
  /** Of a member that has joined others: with whom. Absent: it has made the store. */
  readonly joined?: readonly string[];
  /** Of a member that has joined and was not seen to be a voter yet: etcd cannot make it the only one itself. */
  readonly isLearner?: boolean;
}

/** This engine's member of a store, which runs. */
interface RunningMember {
  file: StoreFile;
  readonly etcd: EtcdProcess;
  readonly transport: MemberTransport | undefined;
  readonly sockets: PeerSockets | undefined;
  readonly end: AbortController;
  /** The store, when this member leads or has led. */
  opened?: OpenedEtcd;
}

/** Members that this process runs, by directory: one that was abandoned there is stopped before another is started. */
const runningMembers = new Map<string, () => Promise<void>>();

/** The store of this engine's swarm in etcd, which is only started while there is one. */
@injectable()
export class EtcdClusterStores implements ClusterStoreDriver, DriverLifecycle {
  readonly capabilities = { durable: true, members: true, maxChanges: 1000, history: 5000 };
  readonly location: string;
  readonly #mutex = new Mutex();
  readonly #file: string;
  readonly #data: string;
  /** Data of a learner that is being made the only member. */
  readonly #restored: string;
  readonly #sockets: string;
  #member: RunningMember | undefined;

  constructor(
    @inject(PackageDirectories) private readonly dirs: PackageDirectories,
    @inject(Config) private readonly config: EtcdConfig,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.location = dirs.root;
    this.#file = join(dirs.root, 'store.json');
    this.#data = join(dirs.root, 'data');
    this.#restored = join(dirs.root, 'restored');
    this.#sockets = join(dirs.state, 'etcd');
  }

  exists(): boolean {
    return existsSync(this.#file);
  }

  create({ name, signal, transport }: CreateStoreOptions): Promise<ClusterStore> {
    return this.#make({ id: randomUUID(), memberName: name }, transport, async (member) => {
      const store = await this.#lead(member, signal);
      crashPoint('etcd.create.started');
      return store;
    });
  }

  join({ id, members, name, signal, transport }: JoinStoreOptions): Promise<void> {
    const file = { id, memberName: name, joined: members, isLearner: true };
    return this.#make(file, transport, (member) => this.#untilAnswering(member, signal));
  }

  async open({ signal, transport }: OpenStoreOptions = {}): Promise<ClusterStore> {
    const member = await this.#mutex.run(async () => this.#member ?? this.#start(await this.#read(), transport));
    return this.#lead(member, signal);
  }

  recover({ signal, transport }: OpenStoreOptions = {}): Promise<ClusterStore> {
    return this.#mutex.run(async () => {
      const file = await this.#read();
      if (file.isLearner !== true) {
        await this.#close();
        return this.#lead(await this.#start(file, transport, { 'force-new-cluster': true }), signal);
      }
      const program = await restoringProgram();
      if (this.#member === undefined) await this.#start(file, transport);
      await this.#close(); // its data has what its log has then
      const { memberName } = file;
      await restoreAlone(this.launcher, { program, memberName, data: this.#data, restored: this.#restored });
      const alone: StoreFile = { id: file.id, memberName };
      await this.#write(alone); // from here on the restored data is what counts
      await this.#useRestored(alone);
      return this.#lead(await this.#start(alone, transport), signal);
    });
  }

  /** Data that was restored for the only member takes the place of the learner's, also when a crash came in between. */
  async #useRestored({ isLearner }: StoreFile): Promise<void> {
    if (isLearner !== true && existsSync(this.#restored)) {
      await rm(this.#data, { recursive: true, force: true });
      await rename(this.#restored, this.#data);
    }
  }

  async #markVoter(member: RunningMember): Promise<void> {
    if (member.file.isLearner !== true) return;
    const { isLearner: _, ...file } = member.file;
    await rm(this.#restored, { recursive: true, force: true }); // of a recovery that a crash interrupted
    await this.#write(file);
    member.file = file;
  }

  #write(file: StoreFile): Promise<void> {
    return replaceFile(this.#file, JSON.stringify(file), { mode: 0o600, flush: true });
  }

  accept(connection: Duplex): void {
    const { etcd } = this.#member ?? {};
    if (etcd === undefined) connection.destroy();
    else joinConnections(connection, connect(etcd.peerSocket));
  }

  destroy(): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#close();
      await this.#remove();
    });
  }

  stop(): Promise<void> {
    return this.#mutex.run(() => this.#close());
  }

  async #remove(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    await rm(this.#restored, { recursive: true, force: true });
    await rm(this.#sockets, { recursive: true, force: true });
    crashPoint('etcd.destroy.data-removed');
    await rm(this.#file, { force: true });
  }

  /** A member that is new here. */
  #make<T>(
    file: StoreFile,
    transport: MemberTransport | undefined,
    begin: (member: RunningMember) => Promise<T>,
  ): Promise<T> {
    return this.#mutex.run(async () => {
      if (this.exists()) throw conflict(`there is a cluster store already, in ${this.location}`);
      if (existsSync(this.#data)) {
        throw conflict(
          `${this.#data} has the data of a cluster store whose file ${this.#file} is lost: restore the file, or remove the data`,
        );
      }
      // The file comes first and goes last: what a crash leaves of a store is a store, which can be destroyed.
      await this.#write(file);
      try {
        await mkdir(this.#data, { recursive: true, mode: 0o700 });
        return await begin(await this.#start(file, transport));
      } catch (error) {
        await this.#close();
        await this.#remove();
        throw error;
      }
    });
  }

  async #start(
    file: StoreFile,
    transport: MemberTransport | undefined,
    onlyFirst: Readonly<Record<string, unknown>> = {},
  ): Promise<RunningMember> {
    const program = await this.#program();
    await this.#useRestored(file);
    await runningMembers.get(this.dirs.root)?.();
    await mkdir(this.#sockets, { recursive: true, mode: 0o700 });
    const sockets = transport && new PeerSockets(this.#sockets, transport, this.log);
    await sockets?.open();
    const etcd = new EtcdProcess({
      program,
      memberName: file.memberName,
      members: file.joined ?? [file.memberName],
      isJoining: file.joined !== undefined,
      dataDirectory: this.#data,
      socketDirectory: this.#sockets,
      quotaBytes: this.config.quotaBytes,
      electionTimeout: Math.round(this.config.electionTimeoutSeconds * 100) * 10,
      launcher: this.launcher,
      log: this.log,
    });
    etcd.start(onlyFirst);
    const member: RunningMember = { file, etcd, transport, sockets, end: new AbortController() };
    this.#member = member;
    runningMembers.set(this.dirs.root, () => this.#close());
    return member;
  }

  /** The store, once its member leads. */
  async #lead(member: RunningMember, signal: AbortSignal | undefined): Promise<ClusterStore> {
    if (member.opened?.store.closed.aborted === false) return member.opened.store;
    await member.opened?.close();
    const { end, etcd, file, transport } = member;
    // The client library is only loaded by engines that are in a swarm.
    const { openEtcd } = await import('./store/open-etcd.js');
    const opened = await openEtcd({
      id: file.id,
      memberName: file.memberName,
      etcd,
      isAlone: () => (transport?.members ?? []).length === 0,
      onVoter: () => this.#markVoter(member),
      capabilities: this.capabilities,
      quotaBytes: this.config.quotaBytes,
      callLimit: this.#callLimit,
      log: this.log,
      signal: signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]),
    });
    member.opened = opened;
    if (end.signal.aborted) await opened.close();
    return opened.store;
  }

  async #untilAnswering({ end, etcd }: RunningMember, signal: AbortSignal | undefined): Promise<void> {
    const { untilAnswering } = await import('./store/until-answering.js');
    await untilAnswering(etcd, signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]));
  }

  get #callLimit(): number {
    return this.config.requestTimeoutSeconds * 1000;
  }

  async #program(): Promise<string> {
    const { program } = this.config;
    try {
      return await programPath(program);
    } catch (cause) {
      throw unavailable(
        `swarms need etcd, and there is no program "${program}": install it, on Debian the package etcd-server ("npm run swarm" does)`,
        { cause },
      );
    }
  }

  async #close(): Promise<void> {
    const member = this.#member;
    if (member === undefined) return;
    this.#member = undefined;
    runningMembers.delete(this.dirs.root);
    member.end.abort(unavailable('the cluster store is closed'));
    await member.opened?.close();
    await member.etcd.stop();
    await member.sockets?.close();
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
