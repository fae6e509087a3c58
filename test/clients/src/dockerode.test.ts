import test from 'ava';
import { startClientHost } from './testing/client-host.js';

test('dockerode runs containers on two networks, waits for their exits and prunes, with API 1.51', async (t) => {
  const host = await startClientHost(t);
  t.deepEqual(await host.session('dockerode'), {
    apiVersion: '1.51',
    networks: ['one', 'two'],
    created: 2,
    execOutput: { out: 'given\n/data\n', err: '' },
    execExit: 3,
    usage: { images: 1, containers: 1, volumes: 1 },
    archive: true,
    stats: 'number',
    log: { out: 'out\n', err: 'err\n' },
    exit: 137,
    removedExit: 7,
    pruned: { networks: ['one', 'two'], volumes: ['data'], containers: [], images: [] },
  });
});
