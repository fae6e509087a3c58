import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, injectable } from '@gantry/core/driver';
import { jsonStream, sendJson } from '@gantry/core/http';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { eventually, startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import auditLog from './index.js';

/** Routes of the test's own. */
@injectable()
class Things {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('things', (router) => {
      router.post('/things/create', (ctx) => sendJson(ctx, { Id: 'abc' }, 201));
      router.get('/things/:name', (ctx) => sendJson(ctx, {}));
      router.delete('/things/:name', () => {
        throw new Error('stuck');
      });
      router.post('/things/:name/stream', async (ctx) => {
        await jsonStream(ctx).write({ a: 1 });
      });
    });
  }
}

const things = definePlugin({
  id: 'things',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => Things,
});

async function start(t: ExecutionContext, config: object = {}, more: object = {}) {
  const plugins = { 'audit-log': config, ...more };
  const engine = await startEngine(t, [engineApi, things, auditLog], { plugins });
  const directory = path.join(engine.directory, 'data/plugins/audit-log');
  const file = path.join(directory, 'audit.jsonl');
  const records = async () => {
    const lines = (await readFile(file, 'utf8')).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
  return { engine, directory, file, records };
}

test('a change is recorded with the process that asked, its target and its outcome, before the answer', async (t) => {
  const { engine, records } = await start(t);
  t.is((await engine.ask('POST', '/v1.51/things/create?name=web&secret=s3cret')).status, 201);
  const [record] = await records();
  t.like(record, {
    client: { pid: process.pid, uid: process.getuid?.(), gid: process.getgid?.() },
    method: 'POST',
    path: '/v1.51/things/create',
    route: 'POST /things/create',
    target: { name: 'web', created: 'abc' },
    outcome: 'done',
    status: 201,
  });
  t.false(Number.isNaN(Date.parse(record.time)));
  t.notRegex(JSON.stringify(record), /s3cret/);
});

test('failed and refused changes are recorded, and so is what is not served', async (t) => {
  const { engine, records } = await start(t);
  await engine.ask('DELETE', '/things/web');
  await engine.ask('POST', '/nowhere');
  await engine.ask('POST', '/v9.99/things/create');
  const [failed, unknown, version] = await records();
  t.like(failed, { route: 'DELETE /things/:name', target: { name: 'web' }, outcome: 'failed', status: 500 });
  t.is(failed.message, 'stuck');
  t.like(unknown, { route: null, outcome: 'refused', status: 404 });
  t.like(version, { route: null, outcome: 'refused', status: 400 });
});

test('what the access list of a listener refuses is recorded', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-audit-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const socketPath = path.join(directory, 'read.sock');
  const { records } = await start(
    t,
    {},
    { 'engine-api': { listeners: [{ host: `unix://${socketPath}`, allow: ['read'] }] } },
  );
  const sent = request({ socketPath, method: 'DELETE', path: '/things/web', agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  t.is(response.statusCode, 403);
  t.like((await records())[0], { method: 'DELETE', path: '/things/web', outcome: 'refused', status: 403 });
});

test('a stream has a record at its beginning and one at its end', async (t) => {
  const { engine, records } = await start(t);
  await engine.ask('POST', '/things/web/stream');
  const both = await eventually('both records', async () => {
    const found = await records();
    return found.length === 2 && found;
  });
  t.deepEqual(
    both.map(({ outcome }) => outcome),
    ['streaming', 'done'],
  );
  t.is(both[0].id, both[1].id);
});

test('reads are recorded only on request', async (t) => {
  const without = await start(t);
  await without.engine.ask('GET', '/things/web');
  t.deepEqual(await without.records(), []);
  const all = await start(t, { reads: true });
  await all.engine.ask('GET', '/things/web');
  t.like((await all.records())[0], { method: 'GET', route: 'GET /things/:name', outcome: 'done' });
});

test('a full log is followed by the next, and the oldest is deleted', async (t) => {
  const { directory, engine } = await start(t, { maxBytes: 4096, maxFiles: 3 });
  for (let time = 0; time < 60; time++) await engine.ask('POST', `/things/create?name=${time}`);
  t.deepEqual((await readdir(directory)).sort(), ['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
  const files = ['audit.jsonl.2', 'audit.jsonl.1', 'audit.jsonl'];
  const texts = await Promise.all(files.map((name) => readFile(path.join(directory, name), 'utf8')));
  t.true(texts.every((text) => text.length <= 4096));
  const names = texts.flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => Number(JSON.parse(line).target.name)),
  );
  t.is(names.at(-1), 59);
  const [first = 0] = names;
  t.deepEqual(
    names,
    names.map((_, index) => first + index),
  );
});

test('a record that a crash cut off damages no other', async (t) => {
  const { engine, file } = await start(t);
  await engine.ask('POST', '/things/create');
  await writeFile(file, '{"time":"20', { flag: 'a' });
  await engine.restart();
  await engine.ask('POST', '/things/create');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  t.deepEqual([lines.length, lines[1]], [3, '{"time":"20']);
  t.like(JSON.parse(lines[2] ?? ''), { outcome: 'done' });
});

test('without a log that can be written, nothing is changed, and reads are served', async (t) => {
  const { engine, directory, file } = await start(t, { maxBytes: 4096, maxFiles: 1 });
  // The next rotation fails, as on a disk that is read-only.
  for (let time = 0; time < 9; time++) await engine.ask('POST', '/things/create');
  await rm(file, { force: true });
  await mkdir(path.join(file, 'occupied'), { recursive: true });
  const statuses: number[] = [];
  for (let time = 0; time < 9; time++) statuses.push((await engine.ask('POST', '/things/create')).status);
  t.true(statuses.includes(503));
  t.is(statuses.at(-1), 503);
  t.is((await engine.ask('GET', '/things/web')).status, 200);
  await rm(file, { recursive: true });
  t.is((await engine.ask('POST', '/things/create')).status, 201);
  t.deepEqual(await readdir(directory), ['audit.jsonl']);
});

test('records are sent to a journal with a field for each fact, once they are in the file', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-audit-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const journal = path.join(directory, 'socket');
  const sent: Buffer[] = [];
  const Fake = Symbol('fake datagrams');
  const datagrams = definePlugin({
    id: 'datagrams',
    provides: [Datagrams],
    configSchema: Type.Object({}),
    setup({ container }) {
      const send = async (bytes: Uint8Array) => void sent.push(Buffer.from(bytes));
      container.registerValue(Fake, { connect: () => ({ send, sendMemory: send, close: () => undefined }) });
      container.provide(Datagrams, Fake);
    },
  });
  const plugins = { 'audit-log': { journal } };
  const engine = await startEngine(t, [engineApi, things, datagrams, auditLog], { plugins });
  await engine.ask('POST', '/v1.51/things/create?name=web');
  await engine.ask('DELETE', '/v1.51/things/a%0aPRIORITY=0');
  await eventually('both are sent', () => sent.length === 2);
  const [created, failed] = sent.map(fieldsOf);
  t.like(created, {
    MESSAGE: `uid ${process.getuid?.()}: POST /v1.51/things/create: done (201)`,
    PRIORITY: '6',
    SYSLOG_FACILITY: '13',
    SYSLOG_IDENTIFIER: 'gantry-audit',
    GANTRY_OUTCOME: 'done',
    GANTRY_STATUS: '201',
    GANTRY_ROUTE: 'POST /things/create',
    GANTRY_CLIENT_PID: String(process.pid),
    GANTRY_TARGET_NAME: 'web',
    GANTRY_TARGET_CREATED: 'abc',
  });
  t.like(failed, { PRIORITY: '3', GANTRY_OUTCOME: 'failed', GANTRY_TARGET_NAME: 'a\nPRIORITY=0' });
});

test('a journal that is absent is named at the start', async (t) => {
  const starting = start(t, { journal: '/nowhere/journal/socket' });
  await t.throwsAsync(starting, { message: /the journal \/nowhere\/journal\/socket cannot be written: / });
});

/** The fields of an entry in the journal's protocol. */
function fieldsOf(bytes: Buffer): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const length = Number(bytes.readBigUInt64LE(end + 1));
    fields[bytes.toString('utf8', at, end)] = bytes.toString('utf8', end + 9, end + 9 + length);
    at = end + 9 + length + 1;
  }
  return fields;
}
