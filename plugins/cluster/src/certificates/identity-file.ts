import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, isRecord, Mutex, PackageDirectories, replaceFile } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { NodeIdentity } from '@gantry/lib-cluster-protocol';
import { seal, unseal } from '../keys/seal.js';
import type { IssuedCertificate } from './issued-certificate.js';

/** This node's key, its certificate and what it trusts. */
export type OwnIdentity = NodeIdentity & IssuedCertificate;

/** In a swarm that locks itself the key is sealed with the one of the swarm, which a locked manager does not have. */
type StoredIdentity = OwnIdentity | (Omit<OwnIdentity, 'key'> & { readonly sealedKey: string });

/** The key of the swarm, and whether what is stored of this node is sealed with it. */
export interface IdentitySeal {
  readonly key: Buffer;
  readonly isLocked: boolean;
}

/** The file with this node's identity, which only the daemon's user can read. */
@injectable()
export class IdentityFile {
  readonly #file: string;
  readonly #mutex = new Mutex();
  readonly #listeners = new Set<() => void>();
  #present: OwnIdentity | undefined;
  #seal: IdentitySeal | undefined;

  constructor(@inject(PackageDirectories) { root }: PackageDirectories) {
    this.#file = join(root, 'identity.json');
  }

  /** What was read or written last. */
  get present(): OwnIdentity | undefined {
    return this.#present;
  }

  /** Calls back when `present` has changed. @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Undefined when there is none. Rejects `unavailable` when it cannot be read. */
  async read(): Promise<OwnIdentity | undefined> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      if (!isRecord(stored)) throw new Error('it is not an object');
      this.#set(this.#open(stored as unknown as StoredIdentity));
      return this.#present;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unavailable(`the identity of this node cannot be read from ${this.#file}`, { cause });
    }
  }

  write(identity: OwnIdentity): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#store(identity);
      this.#set(identity);
    });
  }

  /** How the key is stored from now on; undefined for workers, which do not lock themselves. */
  protect(wanted: IdentitySeal | undefined): Promise<void> {
    return this.#mutex.run(async () => {
      this.#seal = wanted;
      const identity = this.#present ?? (await this.read());
      const isLocked = wanted?.isLocked ?? false;
      if (identity !== undefined && isLocked !== (await this.#isSealed())) await this.#store(identity);
    });
  }

  delete(): Promise<void> {
    return this.#mutex.run(async () => {
      await rm(this.#file, { force: true });
      this.#seal = undefined;
      this.#set(undefined);
    });
  }

  async #store({ key, ...identity }: OwnIdentity): Promise<void> {
    const stored: StoredIdentity = this.#seal?.isLocked
      ? { ...identity, sealedKey: seal(this.#seal.key, Buffer.from(key)) }
      : { ...identity, key };
    await replaceFile(this.#file, JSON.stringify(stored), { mode: 0o600, flush: true });
  }

  async #isSealed(): Promise<boolean> {
    return 'sealedKey' in (JSON.parse(await readFile(this.#file, 'utf8')) as StoredIdentity);
  }

  #open(stored: StoredIdentity): OwnIdentity {
    if (!('sealedKey' in stored)) {
      if (typeof stored.key !== 'string') throw new Error('it has no key');
      return stored;
    }
    if (this.#seal === undefined) throw new Error('its key is sealed, and the swarm is locked');
    const { sealedKey, ...identity } = stored;
    return { ...identity, key: unseal(this.#seal.key, sealedKey).toString() };
  }

  #set(identity: OwnIdentity | undefined): void {
    this.#present = identity;
    for (const listener of this.#listeners) listener();
  }
}
