import { setTimeout as delay } from 'node:timers/promises';
import hostedApi from '@gantry/hosted-api';
import { HostedListeners } from '@gantry/hosted-api/service';
import { type AskOptions, type HostedClient, hostedClient } from '@gantry/hosted-api/testing';
import { state } from '@gantry/memory-drivers';
import notifications from '@gantry/notifications';
import git from '@gantry/source-git';
import subversion from '@gantry/source-subversion';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import sourceImport from '../index.js';
import { runCommand } from '../run-command.js';
import { FakeSources } from './fake-sources.js';

/** An import as clients see it. */
interface ImportJson {
  readonly status: string;
  readonly [field: string]: unknown;
}

interface ImportHarness extends HostedClient {
  readonly engine: TestEngine;
  readonly fake: FakeSources;
  /** The status and the JSON of an answer. */
  json(method: string, path: string, options?: AskOptions): Promise<readonly [number, ImportJson]>;
  /** Runs `gantry-import`. */
  command(...args: readonly string[]): Promise<string>;
  /** Waits until an import, by default into `octavia/tools`, has a status. Rejects when it fails before. */
  until(status: string, token: string, path?: string): Promise<ImportJson>;
}

export const importPath = '/repos/octavia/tools/import';

/** The removed endpoints. */
export const importEndpoints = [
  ['GET', importPath],
  ['PUT', importPath],
  ['PATCH', importPath],
  ['DELETE', importPath],
  ['GET', `${importPath}/authors`],
  ['PATCH', `${importPath}/authors/1`],
  ['GET', `${importPath}/large_files`],
  ['PATCH', `${importPath}/lfs`],
] as const;

interface HarnessOptions {
  readonly config?: object;
  /** Uses the real drivers of Git and Subversion. */
  readonly isReal?: boolean;
  readonly surface?: object;
}

/** A daemon with state in memory, on a free TCP port, with the repository `octavia/tools`. */
export async function importHarness(
  t: TestOwner,
  { config, isReal, surface }: HarnessOptions = {},
): Promise<ImportHarness> {
  const fake = new FakeSources();
  const sources = isReal === true ? [git, subversion] : fake.packages;
  const engine = await startEngine(t, [state, hostedApi, notifications, ...sources, sourceImport], {
    listens: false,
    plugins: {
      'hosted-api': { hosts: ['tcp://127.0.0.1:0'], requestsPerMinute: 100_000, requestsPerHour: 100_000, ...surface },
      'source-import': { enabled: true, ...config },
    },
  });
  const client = hostedClient(engine, 'repo');
  const json = async (...asked: Parameters<typeof client.ask>) => {
    const answer = await client.ask(...asked);
    const words = await answer.text();
    return [answer.status, (words === '' ? {} : JSON.parse(words)) as ImportJson] as const;
  };
  const command = (...args: readonly string[]) =>
    runCommand([...args, '--socket', engine.kernel.service(HostedListeners).operatorSocket]);
  await command('repository', 'create', 'octavia/tools');
  const more: Omit<ImportHarness, keyof HostedClient> = {
    engine,
    fake,
    json,
    command,
    async until(status, token, path = importPath) {
      for (const deadline = Date.now() + 100_000; ; await delay(isReal === true ? 50 : 5)) {
        const [, found] = await json('GET', path, { token });
        if (found.status === status) return found;
        if (found.status === 'error' || Date.now() > deadline) {
          throw new Error(`waited for the import to be ${status}: ${JSON.stringify(found)}`);
        }
      }
    },
  };
  return Object.assign(client, more);
}
