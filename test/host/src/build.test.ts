import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import { type Header, pack } from 'tar-stream';
import { fileDaemon } from './testing/file-daemon.js';

const daemonOfFile = fileDaemon();

type Entry = Partial<Header> & { readonly name: string; readonly text?: string };

function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { text: content = '', ...header } of entries) archive.entry(header, content);
  archive.finalize();
  return buffer(archive);
}

const instructions = (lines: readonly string[]): Entry => ({ name: 'Dockerfile', text: `${lines.join('\n')}\n` });

/** What the build said; what went wrong stands behind "error: ". */
async function build({ client }: Daemon, entries: readonly Entry[], options: object = {}): Promise<string> {
  const stream = await client.buildImage(Readable.from([await tarOf(entries)]), { t: 'made', ...options });
  const lines = (await text(stream as Readable)).split('\n').filter((line) => line.trim() !== '');
  return lines
    .map((line) => JSON.parse(line))
    .map(({ stream: said, error }) => (error === undefined ? (said ?? '') : `error: ${error}`))
    .join('');
}

function hostDirectory(t: ExecutionContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gantry-host-build-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('programs, files of the context and files of stages make an image', async (t) => {
  const daemon = daemonOfFile();
  const said = await build(daemon, [
    instructions([
      'FROM busybox AS one',
      'ENV DIR=/made',
      'WORKDIR $DIR/here',
      'RUN echo -n text > file && chown 3:4 file && rm /etc/group',
      'FROM busybox',
      'COPY --from=one /made /copy',
      'COPY --chown=5:6 f /new/dir/',
      'COPY f /etc/',
      'RUN stat -c "%a %u:%g %n" /copy/here/file /new/dir /new/dir/f /etc/f; cat /copy/here/file',
    ]),
    { name: 'f', text: 'f', mode: 0o751, uid: 44 },
  ]);
  t.regex(said, /644 3:4 \/copy\/here\/file\n755 5:6 \/new\/dir\n751 5:6 \/new\/dir\/f\n751 0:0 \/etc\/f\ntext/);
  t.regex(said, /Successfully tagged made:latest\n$/);
});

test('a step that only changes the mode or the owner of a directory makes a layer', async (t) => {
  const daemon = daemonOfFile();
  const said = await build(daemon, [
    instructions([
      'FROM busybox',
      'RUN chmod 700 /etc',
      'RUN stat -c "first %a %u:%g" /etc',
      'RUN chown 12:34 /etc /bin',
      'RUN stat -c "then %a %u:%g" /etc /bin',
      'RUN true',
    ]),
  ]);
  t.regex(said, /first 700 0:0\n/);
  t.regex(said, /then 700 12:34\nthen 755 12:34\n/);
  const history = (await daemon.client.getImage('made').history()) as readonly { CreatedBy: string; Size: number }[];
  t.is((await daemon.client.getImage('made').inspect()).RootFS.Layers?.length, 3, JSON.stringify(history));
});

test('local archives are extracted by ADD and not by COPY', async (t) => {
  const daemon = daemonOfFile();
  const inner = await tarOf([{ name: 'in/side', text: 'unpacked', uid: 7, gid: 8 }]);
  const said = await build(daemon, [
    instructions([
      'FROM busybox',
      'ADD a.tar /add/',
      'COPY a.tar /copy/',
      'RUN cd /; find add copy | sort; cat add/in/*',
    ]),
    { name: 'a.tar', text: inner.toString() },
  ]);
  t.regex(said, /\nadd\nadd\/in\nadd\/in\/side\ncopy\ncopy\/a.tar\nunpacked/);
});

test('hostile files never leave the image', async (t) => {
  const daemon = daemonOfFile();
  const outside = hostDirectory(t);
  const inner = await tarOf([
    { name: `../../../../../..${outside}/one`, text: 'x' },
    { name: 'link', type: 'symlink', linkname: outside },
    { name: 'link/two', text: 'x' },
  ]);
  const said = await build(daemon, [
    instructions([
      'FROM busybox',
      `RUN ln -s ${outside} /out && ln -s ../../../../../..${outside} /rel`,
      'COPY f /out/three',
      'COPY f /rel/four',
      'WORKDIR /out/five',
      'ADD a.tar /add/',
      'COPY d/f /six',
    ]),
    { name: 'f', text: 'x' },
    { name: 'a.tar', text: inner.toString() },
    { name: 'd', type: 'symlink', linkname: outside },
    { name: 'd/f', text: 'x' },
  ]);
  t.regex(said, /Successfully built/);
  t.deepEqual(readdirSync(outside), []);
  const secret = await build(daemon, [
    instructions(['FROM busybox', 'COPY l /l']),
    { name: 'l', type: 'symlink', linkname: '/etc/passwd' },
  ]);
  t.regex(secret, /error: COPY failed: file not found in build context/);
});

test('cached steps survive a restart of the daemon, and a changed mode is not cached', async (t) => {
  const daemon = await startDaemon(t);
  const entries = [
    instructions(['FROM busybox', 'COPY f /', 'RUN date > /when']),
    { name: 'f', text: 'f', mode: 0o644 },
  ];
  const idOf = (said: string): string | undefined => /Successfully built (\w+)/.exec(said)?.[1];
  const first = idOf(await build(daemon, entries));
  await daemon.restart();
  t.is(idOf(await build(daemon, entries)), first);
  t.not(idOf(await build(daemon, [entries[0] as Entry, { name: 'f', text: 'f', mode: 0o755 }])), first);
});

test('stages that do not need each other run at the same time and print one after the other, unused ones do not', async (t) => {
  const daemon = daemonOfFile();
  const meet = (own: string, other: string) =>
    `RUN --mount=type=cache,target=/c touch /c/${own}; until [ -e /c/${other} ]; do usleep 50000; done; echo met ${other}`;
  const said = await build(daemon, [
    instructions([
      'FROM busybox AS one',
      meet('one', 'two'),
      'FROM busybox AS unused',
      'RUN false',
      'FROM busybox AS two',
      meet('two', 'one'),
      'FROM busybox',
      'COPY --from=one /etc /one',
      'COPY --from=two /etc /two',
    ]),
  ]);
  const steps = said.split('\n').filter((line) => /^(?:Step|met)/.test(line));
  t.deepEqual(
    steps.map((line) => line.replace(/--mount=\S+ .*/, '')),
    [
      'Step 1/7 : FROM busybox AS one',
      'Step 2/7 : RUN ',
      'met two',
      'Step 3/7 : FROM busybox AS two',
      'Step 4/7 : RUN ',
      'met one',
      'Step 5/7 : FROM busybox',
      'Step 6/7 : COPY --from=one /etc /one',
      'Step 7/7 : COPY --from=two /etc /two',
    ],
  );
});

test('ADD takes a directory of a Git repository, and a download with its checksum', async (t) => {
  const directory = hostDirectory(t);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', directory, ...args], { stdio: 'ignore' });
  git('init', '--initial-branch=main', 'work');
  mkdirSync(path.join(directory, 'work/part'));
  writeFileSync(path.join(directory, 'work/part/file'), 'of the branch');
  writeFileSync(path.join(directory, 'work/other'), '');
  git('-C', 'work', 'add', '.');
  git('-C', 'work', '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--message=a');
  git('clone', '--bare', 'work', 'served.git');
  git('-C', 'served.git', 'update-server-info');
  const server = createServer(({ url = '' }, response) => {
    const file = path.join(directory, new URL(url, 'http://x').pathname);
    const content = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined;
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const daemon = daemonOfFile();
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const digest = createHash('sha256').update('of the branch').digest('hex');
  const said = await build(daemon, [
    instructions([
      'FROM busybox',
      `ADD ${at}/served.git#main:part /part/`,
      `ADD --checksum=sha256:${digest} ${at}/work/part/file /downloaded`,
      'RUN ls -A /part; cat /part/file /downloaded',
    ]),
  ]);
  t.regex(said, /\nfile\nof the branchof the branch/);
  const wrong = await build(daemon, [
    instructions(['FROM busybox', `ADD --checksum=sha256:${'0'.repeat(64)} ${at}/work/part/file /f`]),
  ]);
  t.regex(wrong, new RegExp(`error: .*digest mismatch sha256:${digest}`));
});

test('resource limits apply to steps', async (t) => {
  const daemon = daemonOfFile();
  const lines = ['FROM busybox', 'RUN df -k /dev/shm | tail -1 && grep Cpus_allowed_list /proc/self/status'];
  const said = await build(daemon, [instructions(lines)], { shmsize: 8 << 20, cpusetcpus: '0' });
  t.regex(said, /\b8192\b/);
  t.regex(said, /Cpus_allowed_list:\s*0\n/);
});

test('a daemon killed during a build leaves nothing after the next start', async (t) => {
  const daemon = await startDaemon(t);
  const place = (...names: string[]): string => path.join(daemon.directory, 'data', ...names);
  const entries = [
    instructions(['FROM busybox', 'COPY f /', 'WORKDIR /made', 'RUN echo begun && sleep 300']),
    { name: 'f', text: 'f' },
  ];
  const stream = await daemon.client.buildImage(Readable.from([await tarOf(entries)]), { t: 'made' });
  for await (const piece of stream as Readable) if (String(piece).includes('begun\\n"')) break;
  t.is(readdirSync(place('plugins/build/contexts')).length, 1);
  await daemon.crash();
  await daemon.restart();
  await eventually(
    'no container is left',
    async () => (await daemon.client.listContainers({ all: true })).length === 0,
  );
  t.deepEqual(readdirSync(place('plugins/build/contexts')), []);
  t.deepEqual(readdirSync(place('drivers/storage-overlayfs/writables')), []);
  // What went well before is found again.
  const said = await build(daemon, [
    instructions(['FROM busybox', 'COPY f /', 'WORKDIR /made']),
    { name: 'f', text: 'f' },
  ]);
  t.is(said.match(/Using cache/g)?.length, 2);
});

test('an archive with an appended build file, as clients send it, is accepted', async (t) => {
  const daemon = daemonOfFile();
  const whole = await tarOf([{ name: 'f', text: 'f' }, instructions(['FROM busybox', 'COPY f /', 'RUN cat /f'])]);
  // Nothing fills up the last block, and nothing ends the archive.
  const unfilled = whole.subarray(0, whole.indexOf('RUN cat /f') + 'RUN cat /f\n'.length);
  const options: object = { ulimits: 'null', version: '1' };
  const stream = await daemon.client.buildImage(Readable.from([unfilled]), options);
  const said = await text(stream as Readable);
  t.regex(said, /"Successfully built/);
  t.regex(said, /\{"aux":\{"ID":"sha256:[0-9a-f]{64}"\}\}/);
});
