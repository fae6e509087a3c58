import { type Daemon, type Scope, startDaemon } from '@gantry/test-nodes';
import { ask } from './ask.js';

let managers = 0;

interface JoinTokens {
  readonly Worker: string;
  readonly Manager: string;
}

/** A real engine that has made a swarm, and runs no tasks itself. */
export interface SwarmManager {
  readonly daemon: Daemon;
  /** Where nodes reach it. */
  readonly address: string;
  readonly workerToken: string;
  ask<T>(method: string, path: string, body?: object): Promise<T>;
}

/** Has another engine join as a manager that runs no tasks itself. */
export async function joinManager(t: Scope, { address: remote, ask: askFirst }: SwarmManager): Promise<SwarmManager> {
  const daemon = await startDaemon(t, { logLevel: 'info' });
  const address = newAddress();
  const asked = <T>(method: string, path: string, body?: object) => ask<T>(daemon.socket, method, path, body);
  const { JoinTokens } = await askFirst<{ readonly JoinTokens: JoinTokens }>('GET', '/swarm');
  await asked('POST', '/swarm/join', {
    ListenAddr: address,
    AdvertiseAddr: address,
    RemoteAddrs: [remote],
    JoinToken: JoinTokens.Manager,
    Availability: 'drain',
  });
  t.teardown(() => asked<void>('POST', '/swarm/leave?force=1'));
  return { daemon, address, workerToken: JoinTokens.Worker, ask: asked };
}

/** @param within a program that runs the daemon. */
export async function startManager(t: Scope, within?: readonly string[]): Promise<SwarmManager> {
  const daemon = await startDaemon(t, { logLevel: 'warn', ...(within && { within }) });
  const address = newAddress();
  const asked = <T>(method: string, path: string, body?: object) => ask<T>(daemon.socket, method, path, body);
  await asked('POST', '/swarm/init', {
    ListenAddr: address,
    AdvertiseAddr: address,
    Availability: 'drain',
    // The ingress network has an address for every node and for every task with a published port.
    DefaultAddrPool: ['10.64.0.0/10'],
    SubnetSize: 14,
  });
  t.teardown(() => asked<void>('POST', '/swarm/leave?force=1'));
  const { JoinTokens } = await asked<{ readonly JoinTokens: JoinTokens }>('GET', '/swarm');
  return { daemon, address, workerToken: JoinTokens.Worker, ask: asked };
}

/** A loopback address that no other swarm of this host listens on. */
function newAddress(): string {
  const number = (process.pid * 61 + ++managers) % 2 ** 16;
  return `127.60.${number >> 8}.${number & 255}:2377`;
}
