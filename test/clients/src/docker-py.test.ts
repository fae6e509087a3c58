import test from 'ava';
import { startClientHost } from './testing/client-host.js';
import { expectDockerPy } from './testing/expect-docker-py.js';

test("Debian's docker-py runs, builds, saves, loads and prunes", async (t) => {
  await expectDockerPy(t, await startClientHost(t));
});
