import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { askOperator } from '@gantry/hosted-api/service';
import test, { type ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('./main.js', import.meta.url));

interface Daemon {
  readonly child: ChildProcess;
  readonly url: string;
  readonly operatorSocket: string;
}

async function start(t: ExecutionContext, directory: string): Promise<Daemon> {
  const child = spawn(process.execPath, [program, directory, join(directory, 'config.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address, socket] = /^the inbox is at (\S+);.*--socket (\S+)$/.exec(line) ?? [];
    if (address && socket) return { child, url: `http://${address}`, operatorSocket: socket };
  }
  throw new Error('the daemon exited before it was ready');
}

async function kill({ child }: Daemon): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function makeToken({ operatorSocket }: Daemon, user: string, scope: string): Promise<string> {
  const made = await askOperator(operatorSocket, 'POST', '/tokens', { user, scopes: [scope] });
  return (made as { readonly token: string }).token;
}

test('acknowledged users, tokens, threads and marks survive kill -9', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-hosted-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const plugins = {
    'hosted-api': { hosts: ['tcp://127.0.0.1:0'], requestsPerMinute: 100_000, requestsPerHour: 100_000 },
    notifications: { markAtOnce: 50 },
  };
  await writeFile(join(directory, 'config.json'), JSON.stringify({ plugins }));
  let daemon = await start(t, directory);
  const octavia = await makeToken(daemon, 'octavia', 'notifications');
  const feeder = await makeToken(daemon, 'feeder', 'ingest');
  const ask = (method: string, path: string, token: string, body?: object) =>
    fetch(`${daemon.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  const publish = (key: string) =>
    ask('POST', '/ingest/notifications', feeder, {
      repository: 'octavia/tools',
      subject: { key, type: 'Issue', title: key },
      recipients: [{ login: 'octavia', reason: 'assign' }],
    });
  const unread = async () => {
    const titles: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await ask('GET', `/notifications?page=${page}`, octavia);
      const threads = (await answer.json()) as readonly { readonly subject: { readonly title: string } }[];
      titles.push(...threads.map(({ subject }) => subject.title));
      if (threads.length < 50) return titles;
    }
  };
  const acknowledged: string[] = [];
  const feeding = [0, 1, 2, 3].map(async (worker) => {
    for (let number = 0; ; number++) {
      const answer = await publish(`${worker}/${number}`).catch(() => undefined);
      if (answer?.status !== 201) return;
      acknowledged.push(`${worker}/${number}`);
    }
  });
  while (acknowledged.length < 100) await delay(5);
  await kill(daemon);
  await Promise.all(feeding);
  daemon = await start(t, directory);
  const kept = new Set(await unread());
  t.deepEqual(
    acknowledged.filter((title) => !kept.has(title)),
    [],
  );
  t.true(kept.size <= acknowledged.length + 4, 'at most one more of each worker was in flight');
  const marked = await ask('PUT', '/notifications', octavia, { read: true });
  t.is(marked.status, 202);
  await kill(daemon);
  daemon = await start(t, directory);
  t.deepEqual(await unread(), []);
  t.is((await publish('0/1')).status, 201);
  t.deepEqual(await unread(), ['0/1']);
  const stopped = once(daemon.child, 'exit');
  daemon.child.kill('SIGTERM');
  t.deepEqual(await stopped, [0, null]);
});
