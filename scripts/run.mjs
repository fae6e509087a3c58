import { join } from 'node:path';
import { root, setup } from './setup.mjs';
import { SetupError } from './setup-error.mjs';

// The long forms of the fault suite: `npm run faults`, `npm run soak`, `npm run adoption`.
const [name = '', ...args] = process.argv.slice(2);
try {
  setup('test');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`gantry: ${error.message}`);
  process.exit(1);
}

const program = join(root, 'test/faults/dist', `${name}-main.js`);
process.argv = [process.execPath, program, ...args];
await import(program);
