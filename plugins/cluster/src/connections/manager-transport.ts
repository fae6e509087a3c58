import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { MemberTransport } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { NodeConnection } from '@gantry/lib-cluster-protocol';
import { IdentityFile } from '../certificates/identity-file.js';
import type { TunnelMessage } from '../messages/manager-messages.js';
import { storeTunnelPath } from '../messages/store-messages.js';
import type { RemoteManager } from '../records/remote-managers.js';

const unlimited = new AbortController().signal;
setMaxListeners(0, unlimited); // every connection for the store listens

/** A connection with another manager, and how much of the store's traffic goes through it. */
interface SharedConnection {
  readonly address: string;
  readonly opening: Promise<NodeConnection>;
  tunnels: number;
}

/**
 * Connections of this manager with the others, for the members of the store: one each, made when it is needed. Another manager
 * refuses new tunnels on a connection whose certificate has expired since: with another certificate of this node comes another
 * connection, and the one before lasts as long as its tunnels.
 */
@injectable()
export class ManagerTransport implements MemberTransport {
  readonly #listeners = new Set<() => void>();
  /** By the address of the other manager. */
  readonly #connections = new Map<string, SharedConnection>();
  /** With an earlier certificate of this node. */
  readonly #earlier = new Set<SharedConnection>();
  #others: readonly RemoteManager[] = [];

  #announcement: (localAddress: string) => TunnelMessage | null = () => null;

  constructor(@inject(IdentityFile) private readonly identities: Pick<IdentityFile, 'present' | 'onChange'>) {
    identities.onChange(() => this.#renew());
  }

  get members(): readonly string[] {
    return this.#others.map(({ nodeId }) => nodeId);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The managers of the swarm, without this one. */
  update(others: readonly RemoteManager[]): void {
    if (isDeepStrictEqual(others, this.#others)) return;
    this.#others = others;
    const addresses = new Set(others.map(({ address }) => address));
    for (const shared of [...this.#connections.values(), ...this.#earlier]) {
      if (!addresses.has(shared.address)) this.#close(shared);
    }
    for (const listener of this.#listeners) listener();
  }

  async connect(member: string): Promise<Duplex> {
    const manager = this.#others.find(({ nodeId }) => nodeId === member);
    if (manager === undefined) throw unavailable(`the address of the manager ${member} is not known`);
    const shared = this.#connection(manager.address);
    shared.tunnels += 1;
    try {
      const connection = await shared.opening;
      const announcement = this.#announcement(connection.localAddress);
      const tunnel = await connection.tunnel(storeTunnelPath, announcement, unlimited);
      tunnel.once('close', () => this.#release(shared));
      return tunnel;
    } catch (error) {
      this.#release(shared);
      throw error;
    }
  }

  /** What every connection for the store begins with, by the address of this host that it comes from. */
  announce(announcement: (localAddress: string) => TunnelMessage | null): void {
    this.#announcement = announcement;
  }

  #connection(address: string): SharedConnection {
    const present = this.#connections.get(address);
    if (present !== undefined) return present;
    const shared: SharedConnection = { address, opening: this.#open(address), tunnels: 0 };
    this.#connections.set(address, shared);
    const forget = (): void => this.#forget(shared);
    shared.opening.then((connection) => connection.closed.addEventListener('abort', forget, { once: true }), forget);
    return shared;
  }

  async #open(address: string): Promise<NodeConnection> {
    const identity = this.identities.present;
    if (identity === undefined) throw unavailable('this node has no certificate');
    return NodeConnection.open(address, { identity });
  }

  #renew(): void {
    for (const shared of this.#connections.values()) {
      this.#earlier.add(shared);
      if (shared.tunnels === 0) this.#close(shared);
    }
    this.#connections.clear();
  }

  #release(shared: SharedConnection): void {
    shared.tunnels -= 1;
    if (shared.tunnels === 0 && this.#earlier.has(shared)) this.#close(shared);
  }

  #forget(shared: SharedConnection): void {
    this.#earlier.delete(shared);
    if (this.#connections.get(shared.address) === shared) this.#connections.delete(shared.address);
  }

  #close(shared: SharedConnection): void {
    this.#forget(shared);
    shared.opening.then(
      (connection) => connection.close(),
      () => undefined, // it was never opened
    );
  }
}
