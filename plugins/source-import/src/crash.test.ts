import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { askOperator } from '@gantry/hosted-api/service';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('./testing/daemon.js', import.meta.url));

interface Daemon {
  readonly child: ChildProcess;
  readonly url: string;
  readonly operatorSocket: string;
}

async function start(t: ExecutionContext, ...args: readonly string[]): Promise<Daemon> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('the daemon exited before it was ready');
}

/** The contents of the state store and of the imports' directories. */
async function storedContents(directory: string): Promise<string> {
  const places = ['data/drivers', 'data/plugins/source-import/imports'].map((place) => join(directory, place));
  const texts = places.map(async (place) => {
    const names = await readdir(place, { recursive: true });
    return Promise.all(names.map((name) => readFile(join(place, name), 'latin1').catch(() => '')));
  });
  return (await Promise.all(texts)).flat().join('\n');
}

test('imports survive kill -9 in every status: they resume, or ask again for credentials, which are not stored', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-import-crash-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  let daemon = await start(t, directory, 'hold');
  const made = await askOperator(daemon.operatorSocket, 'POST', '/tokens', { user: 'octavia', scopes: ['repo'] });
  const { token } = made as { token: string };
  const ask = async (method: string, name: string, body?: object, path = 'import') => {
    const answer = await fetch(`${daemon.url}/repos/octavia/${name}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { readonly status: string; readonly [field: string]: unknown };
  };
  const states = ['detecting', 'importing', 'mapping', 'pushing'] as const;
  const names = states.flatMap((state) => [state, `secret-${state}`]);
  for (const name of names) {
    await askOperator(daemon.operatorSocket, 'POST', '/import-repositories', { owner: 'octavia', name });
    const credentials = name.startsWith('secret')
      ? { vcs_username: 'octavia', vcs_password: 'hunter2-of-octavia' }
      : {};
    await ask('PUT', name, { vcs_url: `https://source.example/${name}`, ...credentials });
  }
  const statuses = async () => Promise.all(names.map(async (name) => (await ask('GET', name)).status));
  const held = names.map((name) => name.replace('secret-', ''));
  await eventually('every import to reach its step', async () => String(await statuses()) === String(held));
  const mapped = await ask('PATCH', 'mapping', { name: 'Anna' }, 'import/authors/1');
  t.is(mapped.name, 'Anna');
  const gone = once(daemon.child, 'exit');
  daemon.child.kill('SIGKILL');
  await gone;
  t.true((await storedContents(directory)).includes('hunter2-of-octavia'), 'the password is in a file');
  daemon = await start(t, directory);
  t.false((await storedContents(directory)).includes('hunter2-of-octavia'));
  const expected = [
    ...['complete', 'detection_needs_auth', 'complete', 'auth_failed'],
    ...['complete', 'complete', 'complete', 'complete'],
  ];
  await eventually('every import to finish', async () => String(await statuses()) === String(expected));
  const [author] = (await ask('GET', 'mapping', undefined, 'import/authors')) as unknown as { name: string }[];
  t.is(author?.name, 'Anna');
  t.regex(String((await ask('GET', 'secret-importing')).message), /keeps no credentials/);
  await ask('PATCH', 'secret-importing', { vcs_username: 'octavia', vcs_password: 'hunter2-of-octavia' });
  await eventually('the last', async () => (await ask('GET', 'secret-importing')).status === 'complete');
  const ended = once(daemon.child, 'exit');
  daemon.child.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});
