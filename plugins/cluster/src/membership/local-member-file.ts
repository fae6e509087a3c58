import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, isRecord, Mutex, PackageDirectories, replaceFile } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { RemoteManager } from '../records/remote-managers.js';

/**
 * What a manager keeps of its membership outside of the store: the key that the store's secrets are sealed with, and the
 * addresses. `creating` and `leaving` are unfinished: their swarm is deleted at the next start. `joining` has no store yet, or
 * a part of one: the node is a worker that is about to become a manager.
 */
export interface ManagerMember {
  readonly role: 'manager';
  readonly phase: 'creating' | 'joining' | 'active' | 'leaving';
  readonly nodeId: string;
  readonly addresses: NodeAddresses;
  readonly key: LocalKey;
  /** Where the managers were reached last; absent until others have joined. */
  readonly managers?: readonly RemoteManager[];
}

export interface WorkerMember {
  readonly role: 'worker';
  readonly nodeId: string;
  readonly addresses: NodeAddresses;
  /** Where the managers were reached last. */
  readonly managers: readonly RemoteManager[];
}

export type LocalMember = ManagerMember | WorkerMember;

/** Base64; locked: sealed with the unlock key, which is only kept by the operator and in the store. */
export type LocalKey =
  | { readonly type: 'plain'; readonly key: string }
  | { readonly type: 'locked'; readonly sealedKey: string };

export interface NodeAddresses {
  /** `address:port`. */
  readonly listen: string;
  /** `address:port`. */
  readonly advertise: string;
  readonly dataPath: string;
  /**
   * The advertised address was one of this host: when the host loses it, the node is reached at the one it connects from.
   * Absent: it stays, such as one that a router translates.
   */
  readonly followsHost?: true;
}

/** The file with this engine's membership: absent outside of a swarm. */
@injectable()
export class LocalMemberFile {
  readonly path: string;
  readonly #mutex = new Mutex();
  readonly #listeners = new Set<() => void>();
  #present: LocalMember | undefined;

  constructor(@inject(PackageDirectories) { root }: PackageDirectories) {
    this.path = join(root, 'member.json');
  }

  /** What was read or written last. */
  get present(): LocalMember | undefined {
    return this.#present;
  }

  /** Calls back after every write. @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Rejects `unavailable` when the file cannot be read. */
  async read(): Promise<LocalMember | undefined> {
    try {
      const member: unknown = JSON.parse(await readFile(this.path, 'utf8'));
      if (!isRecord(member) || typeof member.nodeId !== 'string') throw new Error('it has no node');
      this.#present = { role: 'manager', ...member } as unknown as LocalMember; // older files name no role
      return this.#present;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unavailable(`the membership of this engine cannot be read from ${this.path}`, { cause });
    }
  }

  write(member: LocalMember): Promise<void> {
    return this.#mutex.run(() => this.#replace(member));
  }

  /** Changes what is there; does nothing when the engine has no membership any more. */
  update(change: (member: LocalMember) => LocalMember): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#present !== undefined) await this.#replace(change(this.#present));
    });
  }

  delete(): Promise<void> {
    return this.#mutex.run(async () => {
      await rm(this.path, { force: true });
      this.#present = undefined;
    });
  }

  async #replace(member: LocalMember): Promise<void> {
    await replaceFile(this.path, JSON.stringify(member), { mode: 0o600, flush: true });
    this.#present = member;
    for (const listener of this.#listeners) listener();
  }
}
