import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openDriver, sourceDriverSuite } from '@gantry/conformance';
import {
  commitsOf,
  contextIn,
  filesOf,
  git,
  scratchFor,
  serveHttp,
  serveHttps,
  sessionsWith,
  trustTest,
  withPassword,
} from '@gantry/lib-source/testing';
import test from 'ava';
import definition from './index.js';
import { TeamFoundationSource } from './team-foundation-source.js';
import { type FakeChangeset, teamFoundationServer } from './testing/team-foundation-server.js';

const ann = { displayName: 'Ann Example', uniqueName: 'ann@example.org' };
const bob = { displayName: 'Bob', uniqueName: 'CORP\\bob.b' };
const second = (n: number): string => new Date(n * 1000).toISOString();

const history: readonly FakeChangeset[] = [
  {
    author: ann,
    date: second(1000),
    comment: 'begin\r\n\r\nwith more',
    changes: [
      { type: 'add', path: '$/One/Main', isFolder: true },
      { type: 'add, edit', path: '$/One/Main/a "b".txt', text: 'a1\n' },
      { type: 'add, edit', path: '$/One/Main/src/x', text: 'x1\n' },
    ],
  },
  { author: bob, date: second(2000), comment: 'two', changes: [{ type: 'edit', path: '$/Two/file', text: 'other\n' }] },
  {
    author: bob,
    date: second(3000),
    comment: 'branch',
    changes: [{ type: 'branch', path: '$/One/Release', isFolder: true, from: '$/One/Main' }],
  },
  {
    author: bob,
    date: second(4000),
    comment: 'on both',
    changes: [
      { type: 'edit', path: '$/One/Main/src/x', text: 'x2\n' },
      { type: 'edit', path: '$/One/Release/src/x', text: 'x3\n' },
    ],
  },
  {
    author: ann,
    date: second(5000),
    comment: 'move and remove',
    changes: [
      { type: 'rename', path: '$/One/Main/lib', isFolder: true, from: '$/One/Main/src' },
      { type: 'delete', path: '$/One/Main/a "b".txt' },
    ],
  },
];

const oneChangeset: FakeChangeset = {
  author: ann,
  date: second(1000),
  comment: 'one',
  changes: [
    { type: 'add', path: '$/One', isFolder: true },
    { type: 'add', path: '$/One/a', text: '1' },
  ],
};

sourceDriverSuite(test, () => openDriver(definition), {
  async createSource() {
    const server = createServer(teamFoundationServer({ projects: ['One'], changesets: [oneChangeset] }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    };
    return { url: `http://127.0.0.1:${port}/tfs/Default`, commits: 1, close };
  },
});

trustTest(
  test,
  () => new TeamFoundationSource(sessionsWith()),
  async (t, _directory, certificate) => {
    const listener = teamFoundationServer({ projects: ['One'], changesets: [oneChangeset] });
    return `${await serveHttps(t, certificate, listener)}/tfs/Default`;
  },
);

const source = new TeamFoundationSource(sessionsWith());

test('a Team Foundation project becomes a repository with a branch for each branched folder', async (t) => {
  const directory = await scratchFor(t);
  const collection = {
    projects: ['One', 'Two', 'Git only'],
    branches: ['$/One/Main', '$/One/Release'],
    changesets: history,
  };
  const url = `${await serveHttp(t, withPassword('', 'token', teamFoundationServer(collection)))}/tfs/Default`;
  const context = contextIn(directory);
  const known = { url, username: '', password: 'token' };
  t.deepEqual(await source.detect({ url }, context), { status: 'needs-auth', refused: false });
  t.deepEqual(await source.detect({ url, password: 'wr0ng' }, context), { status: 'needs-auth', refused: true });
  t.deepEqual(await source.detect(known, context), {
    status: 'found-multiple',
    choices: ['One', 'Two'].map((project) => ({ project, humanName: `${project} (tfs)` })),
  });
  t.deepEqual(await source.detect({ ...known, project: 'one' }, context), {
    status: 'found',
    project: 'One',
  });

  const repository = join(directory, 'git');
  const convert = (more: object) => source.convert({ ...known, ...more }, { ...context, repository });
  t.like(await t.throwsAsync(convert({ password: 'wr0ng' })), { failure: 'auth-failed' });
  const unnamed = await t.throwsAsync(convert({}));
  t.like(unnamed, { failure: 'project-needed', message: 'tfvc_project: name one of the projects: One, Two' });
  t.like(await t.throwsAsync(convert({ project: 'Nine' })), { failure: 'project-needed' });

  await convert({ project: 'One' });
  t.deepEqual(await commitsOf(repository, 'master'), [
    'Ann Example <ann@example.org> 1000 begin\nwith more',
    'Bob <bob.b@127.0.0.1> 4000 on both',
    'Ann Example <ann@example.org> 5000 move and remove',
  ]);
  t.deepEqual(await commitsOf(repository, 'master..Release'), [
    'Bob <bob.b@127.0.0.1> 3000 branch',
    'Bob <bob.b@127.0.0.1> 4000 on both',
  ]);
  t.deepEqual(await filesOf(repository, 'master~1'), { 'a "b".txt': 'a1', 'src/x': 'x2' });
  t.deepEqual(await filesOf(repository, 'master'), { 'lib/x': 'x2' });
  t.deepEqual(await filesOf(repository, 'Release'), { 'a "b".txt': 'a1', 'src/x': 'x3' });
  t.is(await git(repository, 'merge-base', 'master', 'Release'), await git(repository, 'rev-parse', 'master~2'));
});

test('an interrupted Team Foundation import resumes with the missing changesets', async (t) => {
  const directory = await scratchFor(t);
  const changesets = Array.from({ length: 230 }, (_, index) => ({
    author: index % 2 === 0 ? ann : bob,
    date: second(1000 + index),
    comment: `change ${index + 1}`,
    changes: [{ type: index === 0 ? 'add' : 'edit', path: '$/One/file', text: `${index}\n` }],
  }));
  let broken = true;
  const asked = new Set<string>();
  const onRequest = (path: string): 'fail' | undefined => {
    if (path === 'tfvc/changesets/150/changes' && broken) return 'fail';
    asked.add(path);
    return undefined;
  };
  const url = await serveHttp(t, teamFoundationServer({ projects: ['One'], changesets, onRequest }));
  const repository = join(directory, 'git');
  const convert = () => source.convert({ url }, { ...contextIn(directory), repository });
  t.like(await t.throwsAsync(convert()), { failure: 'unreachable' });
  broken = false;
  asked.clear();
  await convert();
  t.false(asked.has('tfvc/changesets/1/changes'));
  const commits = await commitsOf(repository, 'master');
  t.deepEqual(
    commits.map((line) => line.split('change ')[1]),
    changesets.map((_, index) => String(index + 1)),
  );
  t.deepEqual(await filesOf(repository, 'master'), { file: '229' });
});
