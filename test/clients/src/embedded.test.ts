import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

test('testcontainers uses an engine of its own process, with one line of set-up', async (t) => {
  const file = fileURLToPath(new URL('programs/embedded.fixture.js', import.meta.url));
  // In a network namespace of its own, as the other clients.
  const words = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, file];
  const env = { ...process.env, TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1', TESTCONTAINERS_RYUK_DISABLED: 'true' };
  const { stdout } = await promisify(execFile)('unshare', words, { env, timeout: 110_000 });
  t.deepEqual(JSON.parse(stdout), { page: 'page\n', exec: ['executed\n', 3], seen: [true], left: [] });
});
