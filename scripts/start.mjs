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
// It imports what core/bin/gantryd imports, since the older releases of Node 20 want an extension.
process.argv[1] = join(root, 'core/bin/gantryd');
await import(join(root, 'core/dist/main.js'));
