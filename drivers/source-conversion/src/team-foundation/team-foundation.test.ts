import { join } from 'node:path';
import test from 'ava';
import { convertSource } from '../convert-source.js';
import { detectSource } from '../detect-source.js';
import { commitsOf, contextIn, filesOf, git, scratchFor } from '../testing/scratch.js';
import { guarded, serveHttp } from '../testing/servers.js';
import { type StandInChangeset, teamFoundation } from '../testing/team-foundation-server.js';

const ann = { displayName: 'Ann Example', uniqueName: 'ann@example.org' };
const bob = { displayName: 'Bob', uniqueName: 'CORP\\bob.b' };
const second = (n: number): string => new Date(n * 1000).toISOString();

const history: readonly StandInChangeset[] = [
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

test('a Team Foundation project becomes a repository, its folders that were branched its branches', async (t) => {
  const directory = await scratchFor(t);
  const collection = {
    projects: ['One', 'Two', 'Git only'],
    branches: ['$/One/Main', '$/One/Release'],
    changesets: history,
  };
  const url = `${await serveHttp(t, guarded('', 'token', teamFoundation(collection)))}/tfs/Default`;
  const context = contextIn(directory);
  const known = { url, username: '', password: 'token' };
  t.deepEqual(await detectSource({ url }, context), { status: 'needs-auth', refused: false });
  t.deepEqual(await detectSource({ url, password: 'wr0ng' }, context), { status: 'needs-auth', refused: true });
  t.deepEqual(await detectSource(known, context), {
    status: 'found-multiple',
    choices: ['One', 'Two'].map((project) => ({ vcs: 'tfvc', project, humanName: `${project} (tfs)` })),
  });
  t.deepEqual(await detectSource({ ...known, project: 'one' }, context), {
    status: 'found',
    vcs: 'tfvc',
    project: 'One',
  });

  const repository = join(directory, 'git');
  const convert = (source: object) => convertSource({ ...known, vcs: 'tfvc', ...source }, { ...context, repository });
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

test('a Team Foundation import that breaks off goes on with the changesets that are missing', async (t) => {
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
  const url = await serveHttp(t, teamFoundation({ projects: ['One'], changesets, onRequest }));
  const repository = join(directory, 'git');
  const convert = () => convertSource({ url, vcs: 'tfvc' }, { ...contextIn(directory), repository });
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
