import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startNodes } from '@gantry/test-nodes';
import { fillDataRoot, wholeFiles } from './testing/fill-data-root.js';
import { fillSwarm } from './testing/fill-swarm.js';

/**
 * Writes what the nodes of a swarm keep into the fixtures, for the tests of later engines: `node
 * test/host/dist/write-swarm-main.js NAME`, before the format of a record changes.
 */
async function main([name = 'present', program]: readonly string[]): Promise<void> {
  const releases: (() => Promise<void> | void)[] = [];
  try {
    const [manager, worker] = await startNodes({ teardown: (release) => void releases.unshift(release) }, 2, () => ({
      // No busybox: the fixtures are to be small.
      plugins: { 'starter-image': { program: '/absent' } },
      ...(program !== undefined && { program }),
    }));
    if (manager === undefined || worker === undefined) throw new Error('there are no two nodes');
    for (const { client } of [manager, worker]) await fillDataRoot(client);
    await fillSwarm(manager, worker);
    await Promise.all([manager, worker].map((node) => node.kill()));
    const file = fileURLToPath(new URL(`../fixtures/swarm-${name}.tar.gz`, import.meta.url));
    // Named after the nodes in the archive.
    const members = Object.entries({ manager, worker }).flatMap(([folder, { daemon }]) => [
      `--transform=s,^${daemon.directory.slice(1)},${folder},`,
      `${daemon.directory}/data`,
    ]);
    execFileSync('tar', [...wholeFiles, '-czf', file, ...members]);
    process.stdout.write(`${file}\n`);
  } finally {
    for (const release of releases) await release();
  }
}

await main(process.argv.slice(2));
