import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Daemon, eventually, type Scope, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { pack } from 'tar-stream';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Undefined when nothing answers: the daemon has ended, or closed the connection. */
function ask({ socket }: Daemon, method: string, target: string, body?: Buffer): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const type = target.startsWith('/build') ? 'application/x-tar' : 'application/json';
    const headers = { 'Content-Type': type };
    request({ socketPath: socket, method, path: `/v1.24${target}`, headers }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, body: String(bytes) }),
        () => resolve(undefined),
      );
    })
      .on('error', () => resolve(undefined))
      .end(body);
  });
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** Creates, starts, waits for and removes containers until a request is not answered with success. */
async function runContainers(daemon: Daemon): Promise<Answer | undefined> {
  for (;;) {
    const created = await ask(daemon, 'POST', '/containers/create', json({ Image: 'busybox', Cmd: ['true'] }));
    if (created?.status !== 201) return created;
    const { Id } = JSON.parse(created.body) as { Id: string };
    for (const [method, target] of [
      ['POST', `/containers/${Id}/start`],
      ['POST', `/containers/${Id}/wait`],
      ['DELETE', `/containers/${Id}`],
    ] as const) {
      const answer = await ask(daemon, method, target);
      if (answer === undefined || answer.status >= 300) return answer;
    }
  }
}

/** Asks for something small again and again until nothing answers. @returns every status. */
async function statusesUntilGone(daemon: Daemon, target: string): Promise<ReadonlyMap<number, string>> {
  const statuses = new Map<number, string>();
  for (;;) {
    const answer = await ask(daemon, 'GET', target);
    if (answer === undefined) return statuses;
    statuses.set(answer.status, answer.body);
  }
}

async function buildOf(Dockerfile: string): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'Dockerfile' }, Dockerfile);
  archive.finalize();
  return buffer(archive);
}

/** A registry whose answers never come. */
async function startSilentRegistry(t: Scope): Promise<{ readonly host: string; asked(): boolean }> {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => requests > 0 };
}

const mountsBelow = async (directory: string): Promise<readonly string[]> =>
  (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter((line) => line.includes(` ${directory}/`));

test('a daemon that stops refuses with 503, finishes or rolls back what runs, and leaves no mount', async (t) => {
  const daemon = await startDaemon(t);
  const registry = await startSilentRegistry(t);
  const runs = Array.from({ length: 6 }, () => runContainers(daemon));
  const pull = ask(daemon, 'POST', `/images/create?fromImage=${registry.host}/app&tag=1`);
  const build = ask(daemon, 'POST', '/build', await buildOf('FROM busybox\nRUN touch /made; sleep 600\n'));
  await eventually('the pull has asked its registry', registry.asked);
  await eventually('the build runs its program', async () =>
    (await daemon.client.listContainers()).some(({ Command }) => Command.includes('sleep 600')),
  );
  const stopped = daemon.died();
  process.kill(daemon.pid, 'SIGTERM');
  const polls = ['/containers/json', '/images/busybox/json', '/networks', '/volumes'];
  const seen = await Promise.all(polls.map((target) => statusesUntilGone(daemon, target)));
  await stopped;
  for (const [index, statuses] of seen.entries()) {
    t.deepEqual(
      [...statuses].filter(([status]) => status !== 200 && status !== 503),
      [],
      polls[index],
    );
  }
  for (const last of await Promise.all(runs)) {
    if (last !== undefined) t.is(last.status, 503, last.body);
  }
  const [pulled, built] = [await pull, await build];
  t.deepEqual([pulled?.status, pulled?.body], [500, '{"message":"the engine is stopping"}\n']);
  t.true(built?.body.trimEnd().endsWith('"error":"the engine is stopping"}'), built?.body);
  t.notRegex(daemon.log(), /there is no \w+ driver|page not found|there are: none/);
  t.deepEqual(await mountsBelow(daemon.directory), []);
  await daemon.restart();
  const check = await daemon.command('check');
  t.is(check.code, 0, check.said);
});
