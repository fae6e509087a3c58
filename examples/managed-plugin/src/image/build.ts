import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Archive } from '@gantry/archive';
import { configuration } from './configuration.js';
import { pushPlugin } from './push.js';
import { makeRootFileSystem } from './root-file-system.js';

/** Builds the example's image and pushes it under `host:port/repository:tag`. */
export async function buildAndPush(name: string): Promise<void> {
  const [, host, repository, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(name) ?? [];
  if (host === undefined || repository === undefined || tag === undefined) {
    throw new Error(`"${name}" is not host:port/repository:tag`);
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'managed-plugin-'));
  const archive = new Archive();
  try {
    await makeRootFileSystem(directory);
    const layer = await buffer(archive.packTree(directory, '/', { name: '' }));
    await pushPlugin({ host, repository, tag }, layer, configuration);
  } finally {
    await archive.close();
    await rm(directory, { recursive: true, force: true });
  }
}
