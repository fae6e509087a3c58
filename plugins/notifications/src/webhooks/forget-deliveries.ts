import type { Lifetime, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { NotificationStore } from '../store/store.js';

const hour = 3_600_000;

/** Forgets deliveries that would be refused for their age by now. */
async function forgetDeliveries(store: NotificationStore, replayDays: number): Promise<void> {
  const limit = Date.now() - (replayDays + 1) * 24 * hour;
  const old = [...store.deliveries.entries()].filter(([, { at }]) => at < limit).map(([key]) => key);
  if (old.length === 0) return;
  await store.transaction((transaction) => {
    for (const key of old) transaction.delete(store.deliveries, key);
  });
}

/** Does so now and every hour. */
export function keepForgetting(
  store: NotificationStore,
  replayDays: () => number,
  log: Logger,
  lifetime: Lifetime,
): void {
  const run = (): void => {
    forgetDeliveries(store, replayDays()).catch((error: unknown) => {
      log.warn({ event: 'notifications.not-forgotten', reason: messageOf(error) }, 'old deliveries stay remembered');
    });
  };
  const timer = setInterval(run, hour).unref();
  lifetime.add(() => clearInterval(timer));
  run();
}
