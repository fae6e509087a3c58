import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '@gantry/core/driver';

interface AllocatedPool {
  readonly subnet: string;
  /** With prefix length, by address. */
  readonly addresses: Map<string, string>;
  /** Addresses of an earlier daemon that this one has not requested yet. */
  readonly unclaimed: Set<string>;
  isClaimed: boolean;
}

type Stored = Readonly<
  Record<string, { readonly subnet: string; readonly addresses: Readonly<Record<string, string>> }>
>;

/**
 * The pools and addresses that an address manager allocated, persisted over restarts: the daemon requests all of them
 * again, which a plugin that kept its state would refuse. A corrupted file counts as an empty one.
 */
export class Allocations {
  readonly #pools = new Map<string, AllocatedPool>();
  #loaded: Promise<void> | undefined;
  #saved: Promise<void> = Promise.resolve();

  /** @param file undefined persists nothing. */
  constructor(private readonly file: string | undefined) {}

  /** The pools that this daemon uses. */
  get subnets(): readonly string[] {
    return [...this.#pools.values()].flatMap(({ isClaimed, subnet }) => (isClaimed ? subnet : []));
  }

  /** The id of an earlier daemon's pool, once. */
  async claimPool(subnet: string): Promise<string | undefined> {
    await this.#load();
    for (const [id, pool] of this.#pools) {
      if (pool.isClaimed || pool.subnet !== subnet) continue;
      pool.isClaimed = true;
      return id;
    }
    return undefined;
  }

  /** An earlier daemon's address of a pool with its prefix length, once. */
  async claimAddress(poolId: string, address: string): Promise<string | undefined> {
    await this.#load();
    const pool = this.#pools.get(poolId);
    return pool?.unclaimed.delete(address) === true ? pool.addresses.get(address) : undefined;
  }

  async addPool(id: string, subnet: string): Promise<void> {
    await this.#load();
    const addresses = this.#pools.get(id)?.addresses ?? new Map<string, string>();
    this.#pools.set(id, { subnet, addresses, unclaimed: new Set(), isClaimed: true });
    await this.#save();
  }

  async dropPool(id: string): Promise<void> {
    if (this.#pools.delete(id)) await this.#save();
  }

  async addAddress(poolId: string, withPrefix: string): Promise<void> {
    const pool = this.#pools.get(poolId);
    if (pool === undefined) return;
    pool.addresses.set(withPrefix.replace(/\/\d+$/, ''), withPrefix);
    await this.#save();
  }

  async dropAddress(poolId: string, address: string): Promise<void> {
    const pool = this.#pools.get(poolId);
    pool?.unclaimed.delete(address);
    if (pool?.addresses.delete(address) === true) await this.#save();
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  async #read(): Promise<void> {
    if (this.file === undefined) return;
    const text = await readFile(this.file, 'utf8').catch(() => '{}');
    let stored: Stored = {};
    try {
      stored = JSON.parse(text) as Stored;
    } catch {
      // Corrupted, for example by a power failure: start empty.
    }
    for (const [id, { addresses: given, subnet }] of Object.entries(stored)) {
      const addresses = new Map(Object.entries(given));
      this.#pools.set(id, { subnet, addresses, unclaimed: new Set(addresses.keys()), isClaimed: false });
    }
  }

  #save(): Promise<void> {
    const { file } = this;
    if (file === undefined) return Promise.resolve();
    const saved = this.#saved.then(async () => {
      const pools = [...this.#pools].map(([id, { addresses, subnet }]) => [
        id,
        { subnet, addresses: Object.fromEntries(addresses) },
      ]);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, JSON.stringify(Object.fromEntries(pools)));
    });
    this.#saved = saved.catch(() => undefined);
    return saved;
  }
}
