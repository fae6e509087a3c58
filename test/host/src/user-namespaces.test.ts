import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import test from 'ava';
import type Docker from 'dockerode';
import { extract, type Header, pack } from 'tar-stream';
import { runIn, startContainer, textOf } from './testing/run-in.js';
import { firstId as first, startRemapped } from './testing/start-remapped.js';

/** Runs a command in a container of its own. */
async function run(client: Docker, command: string, options: Docker.ContainerCreateOptions = {}): Promise<string> {
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['sh', '-c', command], ...options });
  await container.start();
  await container.wait();
  const output = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
  await container.remove({ v: true });
  return textOf(output);
}

async function headersOf(archive: NodeJS.ReadableStream): Promise<Map<string, Header>> {
  const headers = new Map<string, Header>();
  const reader = extract();
  reader.on('entry', (header, stream, next) => {
    headers.set(header.name, header);
    stream.resume().on('end', next);
  });
  archive.pipe(reader);
  await once(reader, 'finish');
  return headers;
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ message }: Error) => message,
  );

test('root of a remapped container is another user on the host, and root of its own files, mounts and network', async (t) => {
  const { client, directory } = await startRemapped(t);
  const info = await client.info();
  t.true(info.SecurityOptions.includes('userns'), String(info.SecurityOptions));
  const dataRoot = path.join(directory, 'data', `${first}.${first}`);
  t.is(info.EngineRootDir ?? info.DockerRootDir, dataRoot);
  const container = await startContainer(client, { HostConfig: { Tmpfs: { '/t': 'uid=1000' } }, WorkingDir: '/w/x' });
  const { State } = await container.inspect();
  t.is(statSync(`/proc/${State.Pid}`).uid, first);
  const owners = await runIn(container, 'stat -c "%u:%g %n" / /etc/hosts /etc/passwd /w/x /dev/shm /t /proc');
  t.deepEqual(owners.output.trim().split('\n'), [
    '0:0 /',
    '0:0 /etc/hosts',
    '0:0 /etc/passwd',
    '0:0 /w/x',
    '0:0 /dev/shm',
    '1000:0 /t',
    '65534:65534 /proc',
  ]);
  t.is(
    (await runIn(container, 'id -u; echo x > /etc/hosts; echo $?; nc -l -p 80 & kill $!; echo $?')).output,
    '0\n0\n0\n',
  );
  t.is((await runIn(container, 'mknod /node c 1 3')).code, 1);
});

test('archives, commits and builds of remapped containers have the ids of containers', async (t) => {
  const { client } = await startRemapped(t);
  const container = await startContainer(client);
  const archive = pack();
  archive.entry({ name: 'put', uid: 7, gid: 8 }, 'x');
  archive.finalize();
  await container.putArchive(await buffer(archive), { path: '/' });
  t.is((await runIn(container, 'touch /made; chown 5:6 /made; stat -c %u:%g /put')).output, '7:8\n');
  for (const [name, owner] of [
    ['put', { uid: 7, gid: 8 }],
    ['made', { uid: 5, gid: 6 }],
  ] as const) {
    t.like((await headersOf(await container.getArchive({ path: `/${name}` }))).get(name), owner);
  }
  t.like((await headersOf(await container.export())).get('made'), { uid: 5, gid: 6 });
  await container.commit({ repo: 'committed' });
  t.is(await run(client, 'stat -c %u:%g /made /put', { Image: 'committed' }), '5:6\n7:8\n');
  const context = pack();
  context.entry({ name: 'Dockerfile' }, 'FROM busybox\nCOPY --chown=9:10 file /a\nCOPY file /b\nRUN chown 11 /b\n');
  context.entry({ name: 'file', uid: 1234 }, 'x');
  context.finalize();
  const output = await text(await client.buildImage(context as never, { t: 'built' }));
  t.regex(output, /Successfully built/);
  t.is(await run(client, 'stat -c %u:%g /a /b', { Image: 'built' }), '9:10\n11:0\n');
});

test('volumes belong to the container, with what the image has there; binds keep the owners of the host', async (t) => {
  const { client } = await startRemapped(t);
  const bind = mkdtempSync(path.join(tmpdir(), 'gantry-host-bind-'));
  t.teardown(() => rmSync(bind, { recursive: true }));
  chmodSync(bind, 0o755);
  const HostConfig = { Binds: ['vol:/tmp', 'plain:/new', `${bind}:/bind`] };
  const look =
    'stat -c %u:%g /tmp /new /bind; touch /tmp/x /new/x && echo written; touch /bind/x 2>/dev/null || echo refused';
  t.is(await run(client, look, { HostConfig }), '0:0\n0:0\n65534:65534\nwritten\nrefused\n');
  for (const name of ['vol', 'plain']) await client.getVolume(name).remove();
});

test('UsernsMode host takes a container out of the user namespace, for what is refused in it', async (t) => {
  const { client } = await startRemapped(t);
  const create = (HostConfig: Docker.HostConfig) => refusal(client.createContainer({ Image: 'busybox', HostConfig }));
  t.regex(await create({ Privileged: true }), /privileged mode is incompatible with user namespaces\./);
  t.regex(await create({ NetworkMode: 'host' }), /cannot share the host's network namespace when user namespaces/);
  t.regex(await create({ PidMode: 'host' }), /cannot share the host PID namespace when user namespaces/);
  t.regex(await create({ IpcMode: 'host' }), /cannot share the host IPC namespace when user namespaces/);
  const HostConfig = { UsernsMode: 'host', Privileged: true, NetworkMode: 'host', PidMode: 'host' };
  const output = await run(client, 'cat /proc/self/uid_map; stat -c %u /etc', { HostConfig });
  t.is(output.replace(/ +/g, ' '), ` 0 0 4294967295\n${first}\n`);
});

test('a container that joins another one is in its user namespace, and shares its memory', async (t) => {
  const { client } = await startRemapped(t);
  const donor = await startContainer(client, { HostConfig: { IpcMode: 'shareable' } });
  await runIn(donor, 'echo shared > /dev/shm/file');
  const own = (await runIn(donor, 'readlink /proc/self/ns/user')).output;
  const look = 'readlink /proc/self/ns/user; cat /dev/shm/file; ls /sys/class/net';
  t.is(await run(client, look, { HostConfig: { IpcMode: `container:${donor.id}` } }), `${own}shared\neth0\nlo\n`);
  for (const field of ['NetworkMode', 'PidMode']) {
    const HostConfig = { [field]: `container:${donor.id}` };
    t.is(await run(client, 'readlink /proc/self/ns/user', { HostConfig }), own, field);
  }
});

test('remapped containers survive a crash of the daemon, and start again after it', async (t) => {
  const daemon = await startRemapped(t);
  const container = await startContainer(daemon.client);
  const own = (await runIn(container, 'touch /file; chown 5 /file; readlink /proc/self/ns/user')).output;
  await daemon.crash();
  await daemon.restart();
  t.is((await runIn(container, 'readlink /proc/self/ns/user')).output, own);
  await container.restart({ t: 0 });
  t.is((await runIn(container, 'stat -c %u /file; nc -l -p 80 & kill $!; echo $?')).output, '5\n0\n');
});
