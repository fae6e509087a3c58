import test from 'ava';
import { startClientHost } from '../testing/client-host.js';
import { clients } from '../testing/debian.js';
import { expectDockerPy } from '../testing/expect-docker-py.js';

test('docker-py 7 runs, builds, saves, loads and prunes', async (t) => {
  await expectDockerPy(t, await startClientHost(t), (await clients()).python);
});
