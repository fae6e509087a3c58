import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setup } from './setup.mjs';

// The property tests of the suite with many more runs: `npm run fuzz`, `npm run fuzz -- 1000000`. A failure is
// reported with its seed and the smallest case.
const [runs = '20000'] = process.argv.slice(2);
setup('test');
const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
const { status } = spawnSync(process.execPath, [ava, '--timeout=2h', '**/dist/**/*.property.test.js'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, GANTRY_FUZZ_RUNS: runs },
});
process.exitCode = status ?? 1;
