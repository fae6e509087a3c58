import { stat } from 'node:fs/promises';
import { Workshop } from './tools/workshop.js';

/**
 * Ends what a daemon that was killed left running for a source, and removes the credentials it left with it. Every
 * other function does the same first; this one is for sources that none will be called for soon.
 */
export async function tidyScratch(scratch: string): Promise<void> {
  const isThere = await stat(scratch).then(
    () => true,
    () => false,
  );
  if (isThere) await (await Workshop.open({ scratch })).close();
}
