import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StateDrivers } from '@gantry/core/contracts';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { deliveryCollection } from '../store/records.js';
import { importHarness, importPath } from '../testing/harness.js';

const vcs_url = 'https://source.example/octavia/tools';
const secret = 'a secret of the receiver';

interface Received {
  readonly delivery: string;
  readonly event: unknown;
  readonly isSigned: boolean;
  readonly payload: Readonly<Record<string, unknown>> & { readonly import: Readonly<Record<string, unknown>> };
}

/** Something that webhooks are sent to. */
async function receiver(t: ExecutionContext, statuses: number[] = []) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { headers } = request;
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    received.push({
      delivery: String(headers['x-host-delivery']),
      event: headers['x-host-event'],
      isSigned: headers['x-hub-signature-256'] === signature,
      payload: JSON.parse(body),
    });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  const listening = once(server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  const directory = await mkdtemp(join(tmpdir(), 'gantry-import-hooks-'));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });
  const secretFile = join(directory, 'secret');
  await writeFile(secretFile, `${secret}\n`);
  const { port } = server.address() as AddressInfo;
  return { received, webhooks: { forge: { url: `http://127.0.0.1:${port}/hook`, secretFile } }, secretFile };
}

test('a webhook receives every status, signed and in order', async (t) => {
  const { received, webhooks } = await receiver(t);
  const { json, fake, token: tokenFor } = await importHarness(t, { config: { webhooks } });
  const token = await tokenFor('octavia');
  await json('PUT', importPath, { token, body: { vcs_url, vcs_username: 'octavia', vcs_password: 'hunter2' } });
  await eventually('the last step', () => received.length >= 5);
  t.deepEqual(
    received.map(({ payload }) => `${payload.action} ${payload.status}`),
    [
      'detecting in_progress',
      'importing in_progress',
      'mapping in_progress',
      'pushing in_progress',
      'complete success',
    ],
  );
  t.true(received.every(({ event, isSigned }) => event === 'repository_import' && isSigned));
  t.is(new Set(received.map(({ delivery }) => delivery)).size, 5);
  const last = received.at(-1)?.payload;
  t.like(last, {
    import: { status: 'complete', vcs: 'git', vcs_url, authors_count: 2 },
    repository: { full_name: 'octavia/tools' },
    sender: { login: 'octavia' },
  });
  t.false(JSON.stringify(received).includes('hunter2'));
  const open = fake.hold('detect');
  await json('PUT', importPath, { token, body: { vcs_url } });
  await json('DELETE', importPath, { token });
  open();
  await eventually('the end', () => received.length >= 7);
  t.like(received.at(-1)?.payload, { action: 'cancelled', status: 'cancelled', import: { status: 'cancelled' } });
});

test('a failed delivery is retried, also after a restart', async (t) => {
  const { received, webhooks } = await receiver(t, [500, 302, 503]);
  const config = { webhooks, webhookRetrySeconds: 0.02, webhookAttempts: 12 };
  const { json, engine, fake, until, token: tokenFor } = await importHarness(t, { config });
  const token = await tokenFor('octavia');
  fake.detection = { status: 'found-nothing', reason: 'no server responds' };
  await json('PUT', importPath, { token, body: { vcs_url } });
  await until('detection_found_nothing', token);
  await engine.restart();
  await eventually('both', () => received.some(({ payload }) => payload.action === 'detection_found_nothing'));
  const detecting = received.filter(({ payload }) => payload.action === 'detecting');
  t.true(detecting.length >= 4);
  t.is(new Set(detecting.map(({ delivery }) => delivery)).size, 1, 'the same delivery');
});

test('a delivery is dropped after the last attempt', async (t) => {
  const { received, webhooks } = await receiver(t, Array(100).fill(500));
  const config = { webhooks, webhookRetrySeconds: 0.01, webhookAttempts: 3 };
  const { json, engine, fake, until, token: tokenFor } = await importHarness(t, { config });
  fake.detection = { status: 'found-nothing', reason: 'no server responds' };
  const token = await tokenFor('octavia');
  await json('PUT', importPath, { token, body: { vcs_url } });
  const deliveries = engine.kernel.drivers(StateDrivers).get().collection(deliveryCollection);
  await until('detection_found_nothing', token);
  await eventually('the end of both', () => deliveries.size === 0);
  const times = (action: string) => received.filter(({ payload }) => payload.action === action).length;
  t.true([1, 3].includes(times('detecting')));
  t.true([1, 3].includes(times('detection_found_nothing')), 'once, when it had waited for the one before');
});

test('an unreadable secret is a configuration error', async (t) => {
  const webhooks = { forge: { url: 'http://127.0.0.1:9/', secretFile: '/no/such/file' } };
  await t.throwsAsync(importHarness(t, { config: { webhooks } }), {
    message: /webhooks\.forge\.secretFile: .*cannot be read/,
  });
});

test('the user who started an import is notified of its end', async (t) => {
  const { json, fake, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  const subject = async () => {
    const [, threads] = await json('GET', '/notifications', { token });
    return (threads as unknown as { subject: { title: string; type: string } }[])[0]?.subject;
  };
  fake.failures.set('detect', new Error('the network is down'));
  await json('PUT', importPath, { token, body: { vcs_url } });
  await eventually('a thread', subject);
  t.like(await subject(), { title: 'The import of octavia/tools failed', type: 'RepositoryImport' });
  await json('PATCH', importPath, { token });
  await eventually('the next', async () => (await subject())?.title === 'The import of octavia/tools is complete');
});
