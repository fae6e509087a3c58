import { unavailable } from '@gantry/core/errors';
import { NodeConnection, type NodeIdentity } from '@gantry/lib-cluster-protocol';
import { managersPath } from '../messages/manager-messages.js';
import type { RemoteManager } from '../records/remote-managers.js';

interface LeaderSearch<T> {
  readonly addresses: readonly string[];
  readonly identity: NodeIdentity;
  readonly signal: AbortSignal;
  /** Begins a session: only the leader accepts it. */
  readonly begin: (connection: NodeConnection) => Promise<T>;
  /** Called with what a manager that does not lead knows: the leader may be reached at another address than before. */
  readonly onManagers: (managers: readonly RemoteManager[]) => void;
}

/** Milliseconds that the others have once a manager has said that it does not lead: one that is gone says nothing. */
const lateness = 500;

/**
 * The connection to the leader. All managers are asked at once: one that is gone does not delay the others. Rejects as the
 * last manager does, with `not-found` first, for that is the leader's word.
 */
export async function findLeader<T>({
  addresses,
  begin,
  identity,
  onManagers,
  signal,
}: LeaderSearch<T>): Promise<{ readonly connection: NodeConnection; readonly answer: T }> {
  const found = new AbortController();
  const late = new AbortController();
  const search = AbortSignal.any([signal, found.signal, late.signal]);
  let timer: NodeJS.Timeout | undefined;
  const attempts = [...new Set(addresses)].map(async (address) => {
    const connection = await NodeConnection.open(address, {
      identity,
      trust: identity.trust,
      signal: search,
    });
    try {
      const answer = await begin(connection);
      if (found.signal.aborted) throw unavailable('another manager leads');
      found.abort();
      return { connection, answer };
    } catch (error) {
      timer ??= setTimeout(
        () => late.abort(unavailable('the other managers did not answer in time')),
        lateness,
      ).unref();
      if (!found.signal.aborted) await askForManagers(connection, search).then(onManagers, () => undefined); // one of several
      connection.close();
      throw error;
    }
  });
  try {
    return await Promise.any(attempts);
  } catch (error) {
    signal.throwIfAborted();
    const errors: readonly unknown[] = (error as AggregateError).errors ?? [error];
    throw errors.find((each) => (each as { kind?: string }).kind === 'not-found') ?? errors[0] ?? noManagers();
  } finally {
    clearTimeout(timer);
  }
}

const askForManagers = async (connection: NodeConnection, signal: AbortSignal): Promise<readonly RemoteManager[]> =>
  (await connection.call(managersPath, null, { signal })) as readonly RemoteManager[];

const noManagers = () => unavailable('no manager of the swarm is known');
