import type { Lifetime, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';

/** Calls `check` again and again; a failure is said once, until it goes well again. */
export function watchHost(check: () => void, seconds: number, lifetime: Lifetime, log: Logger): void {
  let hasFailed = false;
  const timer = setInterval(() => {
    try {
      check();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.error({ event: 'host.check-failed', reason: messageOf(error) }, 'the network cannot be put right');
      hasFailed = true;
    }
  }, seconds * 1000).unref();
  lifetime.add(() => clearInterval(timer));
}
