import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClusterStore,
  type ClusterStoreDriver,
  ClusterStoreDrivers,
  TransactionConflict,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { conflict, kindOf, messageOf, unavailable } from '@gantry/core/errors';
import { ManagerTransport } from '../connections/manager-transport.js';
import type { TunnelMessage } from '../messages/manager-messages.js';
import { claimFormat } from '../records/record-format.js';
import type { RemoteManager } from '../records/remote-managers.js';
import { LocalMemberFile } from './local-member-file.js';
import { hasLostAddress, movedTo } from './node-addresses.js';

const retryDelays = [500, 1000, 2000, 5000, 10_000, 30_000];

interface OpenOptions {
  readonly signal: AbortSignal;
  /** Called after every failed attempt. */
  readonly onFailure: (message: string) => void;
}

/** This engine's member of the swarm's store, with its connections to those of the other managers. */
@injectable()
export class ManagerStore {
  constructor(
    @inject(ClusterStoreDrivers.token) private readonly drivers: DriverSet<ClusterStoreDriver>,
    @inject(ManagerTransport) private readonly transport: ManagerTransport,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(Logger) private readonly log: Logger,
  ) {
    transport.announce((localAddress) => this.#announcement(localAddress));
  }

  get driver(): ClusterStoreDriver {
    return this.drivers.get();
  }

  /** Of two managers whose hosts were given other addresses, the one that finds the other says where it is. */
  #announcement(localAddress: string): TunnelMessage | null {
    const { addresses } = this.file.present ?? {};
    if (addresses === undefined) return null;
    return { address: (hasLostAddress(addresses) ? movedTo(localAddress, addresses) : addresses).advertise };
  }

  /** Which other managers there are to reach. */
  follow(managers: readonly RemoteManager[]): void {
    const own = this.file.present?.nodeId;
    this.transport.update(managers.filter(({ nodeId }) => nodeId !== own));
  }

  /** @throws EngineError `conflict` when the engine, which is part of no swarm, has the store of one. */
  checkNoOrphan(): void {
    const { location } = this.driver;
    if (!this.driver.exists()) return;
    throw conflict(
      `${location} has the store of an earlier swarm whose membership file ${this.file.path} is lost: restore the file and ` +
        'restart the engine, or remove the store',
    );
  }

  async create(name: string): Promise<ClusterStore> {
    this.transport.update([]);
    const store = await this.driver.create({ name, transport: this.transport });
    await claimFormat(store);
    return store;
  }

  /** Makes this engine a member of the managers' store. What an earlier attempt has left is deleted. */
  async join(options: {
    readonly id: string;
    readonly name: string;
    readonly members: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { driver } = this;
    if (driver.join === undefined) throw unavailable(`the store in ${driver.location} cannot have other members`);
    await driver.destroy();
    await driver.join({ ...options, transport: this.transport });
  }

  /** The store, once this manager leads, however long that takes. Undefined when the signal has aborted. */
  async open({ onFailure, signal }: OpenOptions): Promise<ClusterStore | undefined> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const store = await this.driver.open({ transport: this.transport, signal });
        await this.#claim(store);
        return signal.aborted ? undefined : store;
      } catch (err) {
        if (signal.aborted) return undefined;
        this.log.error({ event: 'swarm.store-not-open', err }, 'failed to open the store of the swarm; retrying');
        onFailure(messageOf(err));
      }
      const wait = retryDelays[Math.min(attempt, retryDelays.length - 1)];
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
    return undefined;
  }

  /** The store with this member as its only one. */
  async recover(): Promise<ClusterStore> {
    this.transport.update([]);
    const store = await this.driver.recover({ transport: this.transport });
    await claimFormat(store);
    return store;
  }

  /** Where a newer engine has led the swarm, another manager may be able to. Rejects as `claimFormat`. */
  async #claim(store: ClusterStore): Promise<void> {
    try {
      await claimFormat(store);
    } catch (error) {
      if (!TransactionConflict.is(error) && kindOf(error) === 'conflict') await this.#handOver(store);
      throw error;
    }
  }

  async #handOver(store: ClusterStore): Promise<void> {
    try {
      const voters = (await store.members.list()).filter(({ id, role }) => role === 'voter' && id !== store.memberId);
      const next = voters[Math.floor(Math.random() * voters.length)];
      if (next !== undefined) await store.members.transferLeadership(next.id);
    } catch (err) {
      this.log.warn({ event: 'swarm.not-handed-over', err }, 'no other manager could lead the swarm; retrying');
    }
  }

  async destroy(): Promise<void> {
    await this.driver.destroy();
    this.transport.update([]);
  }
}
