import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

// typedoc reads the sources with a compiler of its own: docs/adr/0025.
const { resolve } = createRequire(join(root, 'test/architecture/package.json'));
const typedoc = join(dirname(resolve('typedoc')), '../bin/typedoc');
const { status } = spawnSync(process.execPath, [typedoc, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
