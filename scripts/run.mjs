import { join } from 'node:path';
import { root, setup } from './setup.mjs';
import { SetupError } from './setup-error.mjs';

// Suites beyond `npm test`: `npm run faults`, `partitions`, `chaos`, `upgrade`, `soak`, `adoption`, `test:host`,
// `test:clients`, `corpus`, `commands`, `scale`, `scale:engine` and `age`; and `npm run through-client`.
const programs = {
  faults: 'test/faults/dist/faults-main.js',
  partitions: 'test/faults/dist/partitions-main.js',
  chaos: 'test/faults/dist/chaos-main.js',
  upgrade: 'test/faults/dist/upgrade-main.js',
  soak: 'test/faults/dist/soak-main.js',
  adoption: 'test/faults/dist/adoption-main.js',
  'test:host': 'test/emulated-host/dist/long-form-main.js',
  'through-client': 'test/clients/dist/through-client/through-client-main.js',
  'test:clients': 'test/clients/dist/clients-main.js',
  scale: 'test/cluster-scale/dist/scale-main.js',
  'scale:engine': 'test/engine-scale/dist/engine-scale-main.js',
  age: 'test/cluster-scale/dist/age-main.js',
  corpus: 'test/clients/dist/corpus/corpus-main.js',
  commands: 'test/clients/dist/commands/commands-main.js',
};
const [name = '', ...args] = process.argv.slice(2);
try {
  setup(name === 'test:clients' || name === 'test:host' ? name : 'test');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`gantry: ${error.message}`);
  process.exit(1);
}

const program = join(root, programs[name]);
process.argv = [process.execPath, program, ...args];
await import(program);
