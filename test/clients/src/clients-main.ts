import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { debianClients } from './debian/newer-packages.js';
import { cache } from './testing/debian.js';

// `npm run test:clients`: every client, each against a daemon of its own. Arguments choose test files.
console.log('downloading clients from Debian, unless they are there');
await debianClients(cache);
const ava = fileURLToPath(new URL('../../../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [ava, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
