import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { configuration } from './configuration.js';
import { makeRootFileSystem } from './make-root-file-system.js';
import { pushPlugin } from './push-plugin.js';

/** Builds the example's image and pushes it under `host:port/repository:tag`. */
export async function buildAndPush(name: string): Promise<void> {
  const [, host, repository, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(name) ?? [];
  if (host === undefined || repository === undefined || tag === undefined) {
    throw new Error(`"${name}" is not host:port/repository:tag`);
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'managed-plugin-'));
  try {
    await makeRootFileSystem(directory);
    const layer = await packDirectory(directory);
    await pushPlugin({ host, repository, tag }, layer, configuration);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A layer: the content of a directory, owned by root. */
async function packDirectory(directory: string): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 2 ** 30 } as const;
  const owner = ['--numeric-owner', '--owner=0', '--group=0'];
  const { stdout } = await promisify(execFile)('tar', ['-c', ...owner, '-C', directory, '.'], options);
  return stdout;
}
