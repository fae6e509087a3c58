import { connect, type Socket } from 'node:net';
import { withDeadline } from '@gantry/core/driver';
import { EngineError, unavailable } from '@gantry/core/errors';

/**
 * Milliseconds after which a connection that nothing answers has another one beside it. The kernel sends a lost first packet
 * again after one second, and then after two, three and four: a host that can be reached again would wait for that.
 */
const nextAttempt = 250;

/** Milliseconds. */
const limit = 5_000;

/** A connection to the host of a manager. Rejects `unavailable` when it does not answer in time, and otherwise as `reach`. */
export const reachManager = (address: string, signal: AbortSignal | undefined): Promise<Socket> =>
  withDeadline({ milliseconds: limit, error: lateError(address), signal }, (deadline) => reach(address, deadline));

export const lateError = (address: string): string => `the manager ${address} did not answer in time`;

/** `unavailable` for whatever else kept a connection from being made. */
export const connectionError = (address: string, cause: unknown): EngineError =>
  EngineError.is(cause)
    ? cause
    : unavailable(`cannot connect to the manager ${address}: ${(cause as Error).message}`, { cause });

/** The first connection that a host accepts. Rejects as the first attempt that fails does, and when the signal aborts. */
export function reach(address: string, signal: AbortSignal): Promise<Socket> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const attempts = new Set<Socket>();
  return new Promise<Socket>((resolve, reject) => {
    signal.throwIfAborted();
    // It may have been answered where this process was too busy to see it: first what has arrived is looked at.
    const timer = setInterval(() => setImmediate(attemptAgain), nextAttempt);
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    attempt();

    function attemptAgain(): void {
      if (attempts.size > 0) attempt(); // else it has ended
    }
    function attempt(): void {
      const socket = connect({ host, port: Number(port), noDelay: true });
      attempts.add(socket);
      socket.once('error', fail);
      socket.once('connect', () => {
        attempts.delete(socket);
        socket.off('error', fail);
        end();
        resolve(socket);
      });
    }
    function fail(error: unknown): void {
      end();
      reject(error);
    }
    function end(): void {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
      for (const socket of attempts) socket.destroy();
      attempts.clear();
    }
  });
}
