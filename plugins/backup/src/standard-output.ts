import { messageOf, unavailable } from '@gantry/core/errors';
import type { Sink } from './format/backup-writer.js';

/** The standard output. A reader that has closed it is an error. */
export function standardOutput(): Sink {
  process.stdout.on('error', () => undefined); // each write gets it
  return {
    write: (bytes) =>
      new Promise((written, reject) => {
        process.stdout.write(bytes, (error) => {
          if (error) reject(unavailable(`cannot write to the standard output: ${messageOf(error)}`, { cause: error }));
          else written();
        });
      }),
  };
}
