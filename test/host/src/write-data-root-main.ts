import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startDaemon } from '@gantry/test-nodes';
import { fillDataRoot, wholeFiles } from './testing/fill-data-root.js';

/**
 * Writes what this engine keeps into the fixtures, for the tests of later ones: `node test/host/dist/write-data-root-main.js
 * NAME`, before the format of a record or of a directory changes.
 */
async function main([name = 'present', program]: readonly string[]): Promise<void> {
  const releases: (() => Promise<void> | void)[] = [];
  try {
    const daemon = await startDaemon(
      { teardown: (release) => void releases.unshift(release) },
      // No busybox: the fixtures are to be small.
      { plugins: { 'starter-image': { program: '/absent' } }, ...(program !== undefined && { program }) },
    );
    await fillDataRoot(daemon.client);
    await daemon.crash();
    const file = fileURLToPath(new URL(`../fixtures/data-root-${name}.tar.gz`, import.meta.url));
    execFileSync('tar', [...wholeFiles, '-C', daemon.directory, '-czf', file, 'data']);
    process.stdout.write(`${file}\n`);
  } finally {
    for (const release of releases) await release();
  }
}

await main(process.argv.slice(2));
