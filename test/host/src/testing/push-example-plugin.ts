import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import archiveDriver from '@gantry/archive-worker-threads';
import { openDriver } from '@gantry/conformance';
import { configuration, pushPlugin } from '@gantry/managed-plugin';

const program = fileURLToPath(new URL('../../../../examples/managed-plugin/dist', import.meta.url));

/**
 * Pushes the example to a registry, with the host's programs and libraries mounted instead of in the image, which then
 * is small enough to be installed many times. @param more of its configuration, whose
 * mounts are added. @returns its name.
 */
export async function pushExamplePlugin(
  host: string,
  { mounts = [], ...more }: { readonly mounts?: readonly object[]; readonly [field: string]: unknown } = {},
): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-example-'));
  const archive = await openDriver(archiveDriver);
  try {
    const shared = await present('/bin', '/lib', '/lib64', '/usr');
    for (const empty of ['data', 'dev', 'mnt', 'proc', 'run', 'sys', 'tmp', ...shared]) {
      await mkdir(path.join(directory, empty), { recursive: true });
    }
    await cp(program, path.join(directory, 'app'), { recursive: true });
    await writeFile(path.join(directory, 'app/package.json'), '{"type":"module"}');
    const layer = await buffer(archive.driver.packTree(directory, '/', { name: '' }));
    const repository = 'example';
    await pushPlugin({ host, repository, tag: 'latest' }, layer, (diffId) => ({
      ...configuration(diffId),
      entrypoint: [process.execPath, '/app/main.js'],
      mounts: [
        ...shared.map((source) => ({ source, destination: source, type: 'bind', options: ['rbind', 'ro'] })),
        ...mounts,
      ],
      ...more,
    }));
    return `${host}/${repository}`;
  } finally {
    await archive.release();
    await rm(directory, { recursive: true, force: true });
  }
}

async function present(...directories: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    directories.map((directory) =>
      stat(directory).then(
        () => [directory],
        () => [],
      ),
    ),
  );
  return found.flat();
}
