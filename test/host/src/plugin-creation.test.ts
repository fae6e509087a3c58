import { readdir, stat } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { contextOfPlugin } from './testing/context-of-plugin.js';
import { startStubRegistry } from './testing/stub-registry.js';

/** @param body an archive, or what is sent as JSON. @returns the status, the body and the headers. */
function send(
  daemon: Daemon,
  method: string,
  target: string,
  body?: Buffer | object,
): Promise<[number, string, IncomingHttpHeaders]> {
  const isArchive = Buffer.isBuffer(body);
  const content = isArchive || body === undefined ? body : Buffer.from(JSON.stringify(body));
  const type = isArchive ? 'application/x-tar' : 'application/json';
  const headers = content === undefined ? {} : { 'Content-Type': type, 'Content-Length': content.length };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: daemon.socket, method, path: target, agent: false, headers }, (response) => {
      text(response).then((all) => resolve([response.statusCode ?? 0, all, response.headers]), reject);
    });
    sent.on('error', reject).end(content);
  });
}

async function ask(...request: Parameters<typeof send>): Promise<[number, string]> {
  const [status, body] = await send(...request);
  return [status, body];
}

const aConfiguration = {
  description: 'a plugin of its own',
  entrypoint: ['/bin/program'],
  interface: { types: ['docker.volumedriver/1.0'], socket: 'own.sock' },
  linux: { capabilities: ['CAP_SYS_TIME'] },
};

test.serial('a plugin that was created and pushed is pulled as it was, and pushed again unchanged', async (t) => {
  const daemon = await startDaemon(t);
  const plugin = `${await startStubRegistry(t)}/own`;
  const name = encodeURIComponent(plugin);
  const files = { 'config.json': JSON.stringify(aConfiguration), 'rootfs/bin/program': 'program' };
  const context = await contextOfPlugin(t, files);
  t.deepEqual(await ask(daemon, 'POST', `/v1.51/plugins/create?name=${name}`, context), [204, '']);
  t.deepEqual((await ask(daemon, 'POST', `/v1.51/plugins/create?name=${name}`, context))[0], 409);
  const created = JSON.parse((await ask(daemon, 'GET', `/v1.51/plugins/${plugin}/json`))[1]);
  t.like(created, {
    Name: `${plugin}:latest`,
    Enabled: false,
    PluginReference: `${plugin}:latest`,
    Config: { Description: 'a plugin of its own', Linux: { Capabilities: ['CAP_SYS_TIME'] } },
  });
  const byPrefix = await ask(daemon, 'GET', `/v1.51/plugins/${created.Id.slice(0, 12)}/json`);
  t.deepEqual(JSON.parse(byPrefix[1]), created, 'lists of clients show no more of an id');
  t.regex(created.Config.rootfs.diff_ids[0], /^sha256:\w{64}$/);
  const push = async () => {
    const [status, progress] = await ask(daemon, 'POST', `/v1.51/plugins/${plugin}/push`);
    t.is(status, 200);
    return JSON.parse(progress.trim().split('\n').at(-1) ?? '').aux as object;
  };
  const pushed = await push();
  t.like(pushed, { Tag: 'latest' });
  await ask(daemon, 'DELETE', `/v1.24/plugins/${plugin}`);

  const [privilege] = JSON.parse((await ask(daemon, 'POST', `/v1.24/plugins/pull?name=${plugin}`))[1]) as object[];
  t.like(privilege, { Name: 'capabilities', Value: ['CAP_SYS_TIME'] });
  const pulled = JSON.parse((await ask(daemon, 'GET', `/v1.24/plugins/${plugin}`))[1]);
  t.like(pulled, { Name: plugin, Tag: 'latest', Active: false });
  const program = path.join(daemon.directory, 'data/plugins/managed-plugins', pulled.Id, 'rootfs/bin/program');
  const { gid, mode, uid } = await stat(program);
  t.deepEqual([uid, gid, mode & 0o777], [12, 13, 0o750]);
  t.deepEqual(await push(), pushed);
  await ask(daemon, 'DELETE', `/v1.24/plugins/${plugin}`);

  const granted = [privilege];
  const [installed, , headers] = await send(daemon, 'POST', `/v1.51/plugins/pull?remote=${name}&name=alias`, granted);
  t.is(installed, 200);
  t.is(headers['docker-plugin-name'], 'alias:latest', 'clients set and enable it by this name');
  t.like(JSON.parse((await ask(daemon, 'GET', '/v1.51/plugins/alias/json'))[1]), {
    Name: 'alias:latest',
    PluginReference: `${plugin}:latest`,
  });
  await ask(daemon, 'DELETE', '/v1.24/plugins/alias');
});

test.serial('an archive that is no plugin is refused with the reason, and leaves nothing', async (t) => {
  const daemon = await startDaemon(t);
  const configuration = JSON.stringify(aConfiguration);
  const refused: [Readonly<Record<string, string>>, RegExp][] = [
    [{ 'rootfs/program': '' }, /config not found/],
    [{ 'config.json': configuration }, /rootfs not found/],
    [{ 'config.json': configuration, rootfs: '' }, /rootfs is not a directory/],
    [{ 'config.json': '{x', 'rootfs/program': '' }, /failed to parse config/],
    [{ 'config.json': '{}', 'rootfs/program': '' }, /has no entrypoint/],
  ];
  for (const [files, message] of refused) {
    const [status, body] = await ask(daemon, 'POST', '/v1.51/plugins/create?name=own', await contextOfPlugin(t, files));
    t.is(status, 400);
    t.regex(body, message);
  }
  t.deepEqual(await readdir(path.join(daemon.directory, 'data/plugins/managed-plugins')), []);
});
