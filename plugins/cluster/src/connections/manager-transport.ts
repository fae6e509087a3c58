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

/** Connections of this manager with the others, for the members of the store: one each, made when it is needed. */
@injectable()
export class ManagerTransport implements MemberTransport {
  readonly #listeners = new Set<() => void>();
  readonly #connections = new Map<string, Promise<NodeConnection>>();
  #others: readonly RemoteManager[] = [];

  #announcement: (localAddress: string) => TunnelMessage | null = () => null;

  constructor(@inject(IdentityFile) private readonly identities: IdentityFile) {}

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
    for (const address of this.#connections.keys()) if (!addresses.has(address)) this.#close(address);
    for (const listener of this.#listeners) listener();
  }

  async connect(member: string): Promise<Duplex> {
    const manager = this.#others.find(({ nodeId }) => nodeId === member);
    if (manager === undefined) throw unavailable(`the address of the manager ${member} is not known`);
    const connection = await this.#connection(manager.address);
    return connection.tunnel(storeTunnelPath, this.#announcement(connection.localAddress), unlimited);
  }

  /** What every connection for the store begins with, by the address of this host that it comes from. */
  announce(announcement: (localAddress: string) => TunnelMessage | null): void {
    this.#announcement = announcement;
  }

  #connection(address: string): Promise<NodeConnection> {
    const present = this.#connections.get(address);
    if (present !== undefined) return present;
    const opening = this.#open(address);
    this.#connections.set(address, opening);
    const forget = (): void => {
      if (this.#connections.get(address) === opening) this.#connections.delete(address);
    };
    opening.then((connection) => connection.closed.addEventListener('abort', forget, { once: true }), forget);
    return opening;
  }

  async #open(address: string): Promise<NodeConnection> {
    const identity = this.identities.present;
    if (identity === undefined) throw unavailable('this node has no certificate');
    return NodeConnection.open(address, { identity });
  }

  #close(address: string): void {
    const opening = this.#connections.get(address);
    this.#connections.delete(address);
    opening?.then(
      (connection) => connection.close(),
      () => undefined, // it was never opened
    );
  }
}
