import path from 'node:path';
import test from 'ava';
import { programs, startClientHost } from './testing/client-host.js';

test('testcontainers starts, asks, copies, builds and reuses containers', async (t) => {
  const host = await startClientHost(t);
  const session = await host.session('testcontainers', {
    PROJECT: path.join(programs, 'image'),
    TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
    // Its reaper is an image of a public registry.
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    TESTCONTAINERS_REUSE_ENABLE: 'true',
  });
  t.deepEqual(session, {
    page: 'page\n',
    answer: 'page\n',
    exec: ['given more\n/tmp\n1000\n', 3],
    copied: 'copied600\n192.0.2.1\tother\n1000\n',
    archive: 2048,
    image: true,
    logs: 'serving\nserving\n',
    onceLog: 'built\n',
    sessionLog: 'by session\n',
    isReused: true,
  });
});
