import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kernel } from '@gantry/core';
import hostedApi from '@gantry/hosted-api';
import { HostedApi } from '@gantry/hosted-api/service';
import lmdb from '@gantry/state-lmdb';
import { sourceImport } from '../source-import.js';

/**
 * A daemon for tests that kill it. With `hold` every import stops for ever in the step that the end of its address
 * names; without, they all go through.
 */
const [directory = '', hold] = process.argv.slice(2);

const pass = (step: string, url: string): Promise<void> =>
  hold === 'hold' && url.endsWith(step) ? new Promise(() => undefined) : Promise.resolve();

const urlOf = (repository: string): Promise<string> => readFile(join(repository, 'url'), 'utf8');

/** As programs need it that are given a password in a file. */
async function leave(scratch: string, password = ''): Promise<void> {
  await mkdir(scratch, { recursive: true });
  await writeFile(join(scratch, 'password'), password);
}

const plugin = sourceImport({
  async detectSource({ url, password }, { scratch }) {
    await leave(scratch, password);
    await pass('detecting', url);
    return { status: 'found', vcs: 'git' };
  },
  async convertSource({ url, password }, { repository, scratch }) {
    await leave(scratch, password);
    await mkdir(repository, { recursive: true });
    await writeFile(join(repository, 'url'), url);
    await pass('importing', url);
  },
  authorsOf: async () => [
    { remoteId: 'a@x.example', remoteName: 'a', email: 'a@x.example', name: 'a', commits: 1 },
    { remoteId: 'b@x.example', remoteName: 'b', email: 'b@x.example', name: 'b', commits: 1 },
  ],
  largeFilesOf: async () => [],
  rewriteRepository: async (repository) => pass('mapping', await urlOf(repository)),
  pushRepository: async (repository) => pass('pushing', await urlOf(repository)),
  tidyScratch: (scratch) => rm(join(scratch, 'password'), { force: true }),
});

const kernel = new Kernel({
  config: {
    dataRoot: join(directory, 'data'),
    execRoot: join(directory, 'run'),
    plugins: {
      'hosted-api': { hosts: ['tcp://127.0.0.1:0'] },
      'source-import': { enabled: true, maxConcurrent: 20 },
    },
  },
  use: [lmdb, hostedApi, plugin],
});
await kernel.start();
const { addresses, operatorSocket } = kernel.service(HostedApi);
console.log(JSON.stringify({ url: `http://${addresses[0]}`, operatorSocket }));
process.once('SIGTERM', () => void kernel.stop());
