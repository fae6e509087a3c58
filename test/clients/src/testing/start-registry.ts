import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@gantry/test-nodes';
import type { ExecutionContext } from 'ava';
import type { ClientHost } from './client-host.js';

/** A registry at 127.0.0.1:5000 of the host, until the end of the test. */
export async function startRegistry(t: ExecutionContext, host: ClientHost, directory: string): Promise<void> {
  const configuration = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: path.join(directory, 'registry') } },
    http: { addr: '127.0.0.1:5000' },
    log: { level: 'error' },
  };
  const file = path.join(directory, 'registry.yml');
  await writeFile(file, JSON.stringify(configuration));
  const stop = new AbortController();
  const served = host.run('docker-registry', ['serve', file], { signal: stop.signal });
  t.teardown(async () => {
    stop.abort();
    await served;
  });
  const asks = "fetch('http://127.0.0.1:5000/v2/').then(({ ok }) => process.exit(ok ? 0 : 1))";
  await eventually('the registry answers', async () => (await host.run(process.execPath, ['--eval', asks])).code === 0);
}
