import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kernel } from '@gantry/core';
import { SourceDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import hostedApi from '@gantry/hosted-api';
import { HostedListeners } from '@gantry/hosted-api/service';
import { ConvertedRepositories } from '@gantry/lib-source';
import lmdb from '@gantry/state-lmdb';
import { Type } from '@sinclair/typebox';
import sourceImport from '../index.js';

/** A daemon for crash tests. With `hold` every import waits forever in the step that its URL ends in. */
const [directory = '', hold] = process.argv.slice(2);

const pass = (step: string, url: string): Promise<void> =>
  hold === 'hold' && url.endsWith(step) ? new Promise(() => undefined) : Promise.resolve();

const urlOf = (repository: string): Promise<string> => readFile(join(repository, 'url'), 'utf8');

/** Writes the password to a file, as drivers do for programs. */
async function writePassword(scratch: string, password = ''): Promise<void> {
  await mkdir(scratch, { recursive: true });
  await writeFile(join(scratch, 'password'), password);
}

const git = defineDriver({
  id: 'git',
  provides: SourceDrivers,
  configSchema: Type.Object({}),
  create: () => ({
    capabilities: { schemes: ['https:'], projects: 'none' as const },
    async detect({ url, password }, { scratch }) {
      await writePassword(scratch, password);
      await pass('detecting', url);
      return { status: 'found' as const };
    },
    async convert({ url, password }, { repository, scratch }) {
      await writePassword(scratch, password);
      await mkdir(repository, { recursive: true });
      await writeFile(join(repository, 'url'), url);
      await pass('importing', url);
    },
  }),
});

const repositories: ConvertedRepositories = {
  authors: async () => [
    { remoteId: 'a@x.example', remoteName: 'a', email: 'a@x.example', name: 'a', commits: 1 },
    { remoteId: 'b@x.example', remoteName: 'b', email: 'b@x.example', name: 'b', commits: 1 },
  ],
  largeFiles: async () => [],
  rewrite: async (repository) => pass('mapping', await urlOf(repository)),
  push: async (repository) => pass('pushing', await urlOf(repository)),
  removeOrphans: (scratch) => rm(join(scratch, 'password'), { force: true }),
};

const converted = definePlugin({
  id: 'fake-repositories',
  provides: [ConvertedRepositories],
  configSchema: Type.Object({}),
  setup({ container }) {
    const token = Symbol('fake repositories');
    container.registerValue(token, repositories);
    container.provide(ConvertedRepositories, token);
  },
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
  use: [lmdb, hostedApi, git, converted, sourceImport],
});
await kernel.start();
const { addresses, operatorSocket } = kernel.service(HostedListeners);
console.log(JSON.stringify({ url: `http://${addresses[0]}`, operatorSocket }));
process.once('SIGTERM', () => void kernel.stop());
