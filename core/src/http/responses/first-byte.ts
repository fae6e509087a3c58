import type { Readable } from 'node:stream';

/** Waits until a body has begun or ended, so that one that fails at once is still answered as an error. */
export function firstByte(body: Readable): Promise<void> {
  if (body.errored) return Promise.reject(body.errored);
  if (body.readableFlowing || body.readableLength > 0 || body.readableEnded || body.destroyed) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const leave = (outcome: () => void) => () => {
      body.off('readable', begun).off('close', begun).off('error', fail);
      outcome();
    };
    const begun = leave(resolve);
    const fail = leave(() => reject(body.errored));
    body.on('readable', begun).on('close', begun).on('error', fail);
  });
}
