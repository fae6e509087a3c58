import type { DriverLifecycle } from '@gantry/core/driver';
import type { Middleware } from '@gantry/core/http';
import type { EngineApi } from '@gantry/engine-api/service';
import { isOffered, type Offer, offerImage } from './offer-image.js';

/** What clients ask who only want to know whether the daemon is there. */
const idleWords: readonly string[] = ['/_ping', '/version'];

/** How long after the start the image is made if nobody needs it before, in ms. */
const afterStart = 100;

/**
 * Makes the image when the daemon listens already, and has everything that clients ask meanwhile wait for it, so that the
 * first start is not later for it and nobody sees an engine without. Without clients it is made before the start is over.
 */
export function offerLater(offer: Offer, api: EngineApi | undefined): DriverLifecycle {
  const ending = new AbortController();
  let begin: (() => void) | undefined;
  let beginning: NodeJS.Timeout | undefined;
  let made: Promise<void> = Promise.resolve();
  const postpone = (api: EngineApi): void => {
    made = new Promise<void>((resolve) => {
      begin = resolve;
    })
      .then(() => (ending.signal.aborted ? undefined : offerImage(offer, ending.signal)))
      .finally(() => pass());
    const needed = (): Promise<void> => {
      begin?.();
      return made;
    };
    const pass = api.use('observe', waitingFor(needed));
  };
  return {
    async start(signal) {
      if (await isOffered(offer)) return;
      if (api === undefined) await offerImage(offer, signal);
      else postpone(api);
    },
    async ready() {
      if (begin !== undefined) beginning = setTimeout(begin, afterStart);
    },
    async stop() {
      clearTimeout(beginning);
      if (begin === undefined) return;
      ending.abort();
      begin();
      await made;
    },
  };
}

const waitingFor =
  (needed: () => Promise<void>): Middleware =>
  async (ctx, next) => {
    if (!idleWords.includes(ctx.path)) await needed();
    await next();
  };
