import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { settlesWithin } from '@gantry/core/driver';
import { PacketLoss } from '@gantry/lib-linux/tcp';
import { HostAddress, plainAddress } from '../addresses/host-address.js';
import { reach } from './reach.js';

interface WatchedConnection {
  /** Of the other end, with its port. */
  readonly address: string;
  readonly session: ClientHttp2Session;
  readonly socket: Socket;
  /** Milliseconds to the next ping. */
  readonly pingInterval: () => number;
}

/** Milliseconds until a look at why there is no answer. */
const checkInterval = 200;
/** Milliseconds between two looks at one that is busy, at most: to look costs time that a busy host does not have. */
const longestCheckInterval = 1_600;
/** Milliseconds that an answer may take when the kernel of the other end acknowledges the question: it is busy. */
const longestSilence = 15_000;
/** Milliseconds that packets may be lost. */
const longestOutage = 3_000;
/** Milliseconds that the connection has to recover by itself, once the other end is reached by another. */
const recovery = 100;

/**
 * Ends a session whose other end is not heard of any more: a partition leaves it open for minutes. One that is cut for seconds
 * only would wait for as long again afterwards, since the kernel doubles the time between its attempts: while packets are lost,
 * a second connection is attempted, and when it succeeds and the first one has not recovered, that is to be replaced.
 */
export async function endWhenSilent({ address, pingInterval, session, socket }: WatchedConnection): Promise<void> {
  const own = new HostAddress(plainAddress(socket.localAddress));
  const end = new AbortController();
  session.once('close', () => end.abort());
  while (!session.destroyed) {
    await delay(pingInterval(), undefined, { signal: end.signal, ref: false }).catch(() => undefined); // aborted: it has ended
    if (session.destroyed) return;
    if (own.isLost()) return session.destroy();
    const answered = ping(session);
    const loss = new PacketLoss(socket);
    let interval = checkInterval;
    for (let silence = 0; !(await settlesWithin(answered, interval)); ) {
      silence += interval;
      interval = Math.min(2 * interval, longestCheckInterval);
      if (session.destroyed) return;
      if (silence >= longestSilence || own.isLost()) return session.destroy();
      if (!loss.look()) continue;
      const limit = AbortSignal.any([end.signal, AbortSignal.timeout(longestOutage)]);
      if (!(await isReached(address, limit))) return session.destroy();
      if (!(await settlesWithin(answered, recovery))) return session.destroy();
      break;
    }
  }
}

/** Resolves at the answer, and never when the session ends before. */
const ping = (session: ClientHttp2Session): Promise<void> =>
  new Promise((resolve) => {
    session.ping((error) => {
      if (error === null) resolve();
    });
  });

async function isReached(address: string, signal: AbortSignal): Promise<boolean> {
  try {
    (await reach(address, signal)).destroy();
    return true;
  } catch {
    return false; // refused, out of reach or out of time
  }
}
