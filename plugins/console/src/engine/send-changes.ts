import { once } from 'node:events';
import type { Clock } from '@gantry/core/driver';
import { acceptWebSocket, type Context } from '@gantry/core/http';

/** Milliseconds from one message to the next: what changes meanwhile is one message behind them. */
const pause = 500;

/**
 * Says that something has changed, as `/stream` does with messages, until the browser leaves: what it is now, the page asks the
 * engine for.
 * @param follow calls back after changes. @returns ends that.
 */
export async function sendChanges<P>(
  ctx: Context<P>,
  clock: Clock,
  follow: (changed: () => void) => () => void,
): Promise<void> {
  const { signal } = ctx.state;
  const { socket } = await acceptWebSocket(ctx, { binary: true });
  let isPausing = false;
  let hasChanged = false;
  let cancel = (): void => undefined;
  const send = (): void => {
    hasChanged = isPausing;
    if (isPausing) return;
    socket.write('changed');
    isPausing = true;
    cancel = clock.after(pause, () => {
      isPausing = false;
      if (hasChanged) send();
    });
  };
  const remove = follow(send);
  try {
    socket.write(JSON.stringify({ status: 200 }));
    // What the browser sends, that it has read a message, needs no answer.
    socket.resume();
    await once(socket, 'close', { signal });
  } catch {
    // The browser has left, or the daemon stops.
  } finally {
    remove();
    cancel();
  }
}
