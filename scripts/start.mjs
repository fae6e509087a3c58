import { join } from 'node:path';
import { root, setup } from './setup.mjs';
import { SetupError } from './setup-error.mjs';

try {
  setup('start');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`gantry: ${error.message}`);
  process.exit(1);
}

// Node cannot exec: this process becomes the daemon instead, so that signals and the exit code need no middleman.
const daemon = join(root, 'gantry/bin/gantryd.js');
process.argv[1] = daemon;
await import(daemon);
