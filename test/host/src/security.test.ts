import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import { type Header, pack } from 'tar-stream';
import { runIn, startContainer } from './testing/run-in.js';

type Entry = Partial<Header> & { readonly name: string; readonly text?: string | Buffer };

function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { text = '', ...header } of entries) archive.entry(header, text);
  archive.finalize();
  return buffer(archive);
}

/** A directory of the host that no container may see or change. */
function hostDirectory(t: ExecutionContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gantry-host-security-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(path.join(directory, 'secret'), 'of the host');
  chmodSync(directory, 0o700);
  return directory;
}

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ message }: Error) => message,
  );

const value = (status: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];

test('processes get no inheritable capabilities (CVE-2022-24769), their group (CVE-2022-36109), no descriptors of the engine (CVE-2024-21626), no IPv6 by surprise (CVE-2020-13401, CVE-2024-32473)', async (t) => {
  const { client } = await startDaemon(t);
  const container = await startContainer(client, { User: '65534:65534' });
  const look =
    'cat /proc/1/status /proc/self/status; ls /proc/1/fd | tr "\\n" " "; echo .; ls /proc/self/fd | tr "\\n" " "';
  const { output } = await runIn(container, look);
  const [first = '', own = ''] = output.split(/(?=^Name:)/m).filter((part) => part.startsWith('Name:'));
  for (const status of [first, own]) {
    t.is(value(status, 'CapInh'), '0000000000000000');
    t.is(value(status, 'CapEff'), '0000000000000000', 'of another user than root');
    t.is(value(status, 'CapAmb'), '0000000000000000');
    t.is(value(status, 'Groups')?.trim(), '65534');
    t.is(value(status, 'Seccomp'), '2');
  }
  // The last one of `ls` is the directory it lists.
  t.regex(output, /^0 1 2 \.\n0 1 2 3 $/m);
  const settings = 'cd /proc/sys/net/ipv6/conf/eth0; cat disable_ipv6 accept_ra; ip -6 address show dev eth0 | wc -l';
  const without = await startContainer(client);
  t.regex((await runIn(without, settings)).output, /^1\n\d\n0\n/);
  const network = await client.createNetwork({
    Name: 'six',
    EnableIPv6: true,
    IPAM: { Driver: 'default', Config: [{ Subnet: `fd5e:c000:${(process.pid % 65_536).toString(16)}::/64` }] },
  });
  const routed = await startContainer(client, { HostConfig: { NetworkMode: network.id } });
  t.regex(
    (await runIn(routed, settings)).output,
    /^0\n0\n/,
    'addresses, and no routes from spoofed router advertisements',
  );
});

test('a working directory leads to no descriptor of the engine, nor a mount or a directory through links out of the container (CVE-2024-21626, CVE-2021-30465, CVE-2026-42306)', async (t) => {
  const { client } = await startDaemon(t);
  const outside = hostDirectory(t);
  for (const descriptor of [3, 5, 6, 7, 8, 9]) {
    const container = await client.createContainer({
      Image: 'busybox',
      WorkingDir: `/proc/self/fd/${descriptor}`,
      Cmd: ['sh', '-c', `cat ../../../../../../../../..${outside}/secret && sleep 600`],
    });
    const began = await refused(container.start());
    if (began === 'done') t.not((await container.wait()).StatusCode, 0);
    await container.remove({ force: true });
  }

  // One container swaps what another mounts and works on.
  const swap = 'mkdir -p d e; while :; do mv d x; ln -s "$0" d; mv e y; ln -s "$0" e; rm d e; mv x d; mv y e; done';
  await startContainer(client, {
    Cmd: ['sh', '-c', `cd /v; ${swap}`, outside],
    HostConfig: { Binds: ['shared:/v'] },
  });
  const outcomes = new Set<string>();
  const body = await tarOf([{ name: 'planted', text: 'x' }]);
  for (let round = 0; round < 8; round++) {
    const container = await client.createContainer({
      Image: 'busybox',
      WorkingDir: `/v/e/made${round}`,
      Cmd: ['sh', '-c', 'touch /v/d/inside; cat /v/d/secret'],
      HostConfig: { Binds: ['shared:/v', 'inner:/v/d/mounted'] },
    });
    const copied = refused(container.putArchive(body, { path: '/v/d' }));
    outcomes.add((await refused(container.start())) === 'done' ? 'started' : 'refused');
    if ((await container.inspect()).State.StartedAt?.startsWith('0001') === false) {
      t.not((await container.wait()).StatusCode, 0, 'the file of the host is not there');
    }
    await copied;
    const committed = await refused(container.commit({ repo: `swapped${round}`, pause: false }));
    t.is(committed, 'done');
    await container.remove({ force: true, v: true });
  }
  t.true(outcomes.size > 0);
  t.deepEqual(readdirSync(outside), ['secret']);
});

test('copying runs no program and opens no library of the container (CVE-2019-14271, GHSA-x86f-5xw2-fm2r), and changes no mode of the host (CVE-2021-41089)', async (t) => {
  const { client } = await startDaemon(t);
  const outside = hostDirectory(t);
  const programs = ['gzip', 'gunzip', 'unpigz', 'pigz', 'xz', 'bzip2', 'zstd', 'tar'];
  const evil = programs.flatMap((name) =>
    ['bin', 'usr/bin', 'usr/local/bin', 'sbin'].map((directory) => `${directory}/${name}`),
  );
  const container = await startContainer(client);
  // Opening one of these hangs: they are FIFOs without a writer.
  const libraries = [
    '/etc/nsswitch.conf',
    '/lib/x86_64-linux-gnu/libnss_files.so.2',
    '/lib64/libnss_files.so.2',
    '/usr/lib/libnss_files.so.2',
    '/lib/libnss_compat.so.2',
    '/etc/ld.so.preload',
    '/etc/ld.so.cache',
    '/etc/localtime',
  ];
  const prepare = [
    `for f in ${libraries.join(' ')}; do mkdir -p $(dirname $f); rm -f $f; mkfifo $f; done`,
    `for p in ${evil.join(' ')}; do mkdir -p /$(dirname $p); rm -f /$p; printf '#!/bin/sh\\ntouch ${outside}/ran /ran\\n' > /$p; chmod 755 /$p; done`,
    `ln -s ${outside} /out; echo ready`,
  ];
  t.regex((await runIn(container, prepare.join('; '))).output, /ready/);
  const archive = await tarOf([
    { name: 'arrived', text: 'content', uname: 'nobody', gname: 'nogroup', uid: 65_534 },
    { name: 'out', type: 'directory', mode: 0o777 },
    { name: `../../../../../../..${outside}`, type: 'directory', mode: 0o777 },
    { name: 'out/planted', text: 'x' },
  ]);
  await container.putArchive(gzipSync(archive), { path: '/tmp' });
  await container.putArchive(gzipSync(await tarOf([{ name: 'out/planted', text: 'x', mode: 0o777 }])), { path: '/' });
  const { output } = await runIn(container, 'cat /tmp/arrived; [ -e /ran ] && echo ran');
  t.is(output, 'content');
  t.true((await buffer((await container.getArchive({ path: '/tmp' })) as Readable)).includes('content'));
  t.true((await buffer((await container.export()) as Readable)).length > 1000);
  t.deepEqual(readdirSync(outside), ['secret']);
  t.is(statSync(outside).mode & 0o777, 0o700);
});

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

test('a container cannot overwrite the runtime (CVE-2019-5736), and an image brings no rights of its own (CVE-2014-6408, CVE-2014-9358)', async (t) => {
  const { client } = await startDaemon(t);
  const runtimes = ['/usr/bin/runc', '/usr/sbin/runc', '/usr/bin/crun', '/usr/bin/conmon'].filter((file) =>
    lstatSync(file, { throwIfNoEntry: false })?.isFile(),
  );
  const before = runtimes.map(digestOf);
  const attack =
    'printf "#!/proc/self/exe\\n" > /evil; chmod 755 /evil; while :; do for p in /proc/[0-9]*; do echo evil > $p/exe; done; done 2> /dev/null';
  const container = await startContainer(client, { Cmd: ['sh', '-c', attack] });
  for (let round = 0; round < 4; round++) {
    await refused(runIn(container, 'true'));
    const exec = await container.exec({ Cmd: ['/evil'], AttachStdout: true, AttachStderr: true });
    await refused(exec.start({ hijack: true, stdin: false }).then((stream) => buffer(stream)));
  }
  const self = await client.createContainer({ Image: 'busybox', Cmd: ['/proc/self/exe', 'init'] });
  if ((await refused(self.start())) === 'done') await self.wait();
  t.deepEqual(runtimes.map(digestOf), before);
  t.true(before.length > 0);

  const layer = await tarOf([{ name: 'etc', type: 'directory' }]);
  const diff = `sha256:${createHash('sha256').update(layer).digest('hex')}`;
  const rights = {
    Privileged: true,
    SecurityOpt: ['seccomp=unconfined'],
    CapAdd: ['ALL'],
    Binds: ['/:/host'],
    PidMode: 'host',
  };
  const configuration = {
    architecture: 'amd64',
    os: 'linux',
    id: '../../../../etc',
    config: { Cmd: ['true'], HostConfig: rights, ...rights },
    host_config: rights,
    HostConfig: rights,
    container_config: { HostConfig: rights, ...rights },
    rootfs: { type: 'layers', diff_ids: [diff] },
  };
  const image = await tarOf([
    { name: 'l.tar', text: layer },
    { name: 'c.json', text: JSON.stringify(configuration) },
    { name: 'manifest.json', text: JSON.stringify([{ Config: 'c.json', RepoTags: ['rights:1'], Layers: ['l.tar'] }]) },
  ]);
  await buffer((await client.loadImage(Readable.from([image]))) as Readable);
  const made = await (await client.createContainer({ Image: 'rights:1' })).inspect();
  t.false(made.HostConfig.Privileged);
  for (const field of ['SecurityOpt', 'CapAdd', 'Binds'] as const) t.deepEqual(made.HostConfig[field] ?? [], [], field);
  t.is(made.HostConfig.PidMode, '');
  t.regex(made.Image, /^sha256:[0-9a-f]{64}$/);
});

/** Everything below that another user of the host could read, or change. */
function openToOthers(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isSymbolicLink()) return [];
    const mode = lstatSync(file).mode & 0o007;
    if (entry.isDirectory()) {
      // Passing through is not looking; behind what cannot be passed, modes are of no meaning.
      return [...((mode & 0o6) > 0 ? [file] : []), ...((mode & 0o1) > 0 ? openToOthers(file) : [])];
    }
    return mode > 0 ? [file] : [];
  });
}

function post(daemon: Daemon, target: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: daemon.socket, method: 'POST', path: target, headers, agent: false },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.on('error', reject).end(body);
  });
}

test("other users cannot read the engine's data (CVE-2021-41091), and credentials are stored nowhere (CVE-2021-41092)", async (t) => {
  const daemon = await startDaemon(t);
  const container = await startContainer(daemon.client, { Env: ['KEY=in the environment'] });
  await runIn(container, 'true');
  const harmless =
    /\/(packages\.json|probe\.json|offered|engine-id|state\.mdb-lock)$|\/netns\/[0-9a-f]+$|^.*\/volumes\/[^/]+\/_data/;
  const open = ['data', 'run'].flatMap((name) => openToOthers(path.join(daemon.directory, name)));
  t.deepEqual(
    open.filter((file) => !harmless.test(file)),
    [],
  );
  t.is(statSync(daemon.socket).mode & 0o777, 0o660);

  const secret = 'hunter2-of-the-test';
  const encode = (what: object) => Buffer.from(JSON.stringify(what)).toString('base64url');
  const account = { username: 'me', password: secret, serveraddress: '127.0.0.1:1' };
  const json = { 'Content-Type': 'application/json' };
  const auth = { 'X-Registry-Auth': encode(account), 'X-Registry-Config': encode({ '127.0.0.1:1': account }) };
  await post(daemon, '/auth', json, JSON.stringify(account));
  await post(daemon, '/images/create?fromImage=127.0.0.1:1/x&tag=1', auth);
  await post(daemon, '/images/127.0.0.1:1/x/push', auth);
  await post(
    daemon,
    '/build',
    { ...auth, 'Content-Type': 'application/x-tar' },
    (await tarOf([{ name: 'Dockerfile', text: 'FROM 127.0.0.1:1/x\n' }])).toString(),
  );
  await post(daemon, '/plugins/pull?name=127.0.0.1:1/x', { ...json, ...auth });
  await post(daemon, '/plugins/127.0.0.1:1/x/upgrade', { ...json, ...auth });
  t.is(
    await post(
      daemon,
      `/containers/create?name=${encodeURIComponent('bad name')}`,
      { ...json, ...auth },
      '{"Image":"busybox"}',
    ),
    400,
  );
  const events = await buffer(
    (await daemon.client.getEvents({ since: 0, until: Math.floor(Date.now() / 1000) })) as Readable,
  );
  const places = [
    daemon.log(),
    events.toString(),
    JSON.stringify(await container.inspect()),
    JSON.stringify(await daemon.client.info()),
  ];
  for (const place of places) {
    for (const form of [secret, Buffer.from(secret).toString('base64'), auth['X-Registry-Auth']])
      t.false(place.includes(form));
  }
  t.false(daemon.log().includes('in the environment'));
  const holding = filesIn(daemon.directory).filter((file) => {
    const content = readFileSync(file);
    return [secret, Buffer.from(secret).toString('base64'), auth['X-Registry-Auth']].some((form) =>
      content.includes(form),
    );
  });
  t.deepEqual(holding, [], 'no file has them');
});

/** The files that the engine itself writes below a directory: not those of layers, and no namespaces. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return /^storage-|^netns$/.test(entry.name) ? [] : filesIn(file);
    return entry.isFile() ? [file] : [];
  });
}
