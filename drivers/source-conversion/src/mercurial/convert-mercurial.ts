import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionJob } from '../job.js';
import { adopt, editAdopted, makeRepository, publish } from '../repository/adopt.js';
import { type Refs, replaceRefs } from '../repository/refs.js';
import { isAddress, validAuthor } from '../repository/valid-author.js';
import { SourceError } from '../source-error.js';
import { Hg } from './hg.js';
import { mercurialRefs } from './mercurial-refs.js';

const fetching = 'fetching the Mercurial repository';
const step = 'converting the Mercurial repository';

/** Names the repository a mirror is of; without it there is none. */
const labelName = 'mirror-of';

/** Parts of the work by hg's names for them, with what they take of the whole. */
const parts: Readonly<Record<string, { readonly from: number; readonly to: number }>> = {
  changesets: { from: 0, to: 20 },
  manifests: { from: 20, to: 35 },
  files: { from: 35, to: 60 },
  exporting: { from: 60, to: 92 },
};

/** Pulls the repository to this host and has hg-git make commits of its changesets. */
export async function convertMercurial(job: ConversionJob): Promise<void> {
  const { progress } = job;
  const hg = await Hg.open(job);
  const onLine = (line: string): void => {
    const [, topic = '', done, all] = /^(\w+) (\d+)\/(\d+)\b/.exec(line) ?? [];
    const part = parts[topic];
    if (part === undefined) return;
    if (topic === 'changesets' && progress.commitCount === undefined) progress.commitCount = Number(all);
    progress.advance(Number(done), Number(all), part);
  };
  const mirror = await pull(job, hg, onLine);
  await job.workshop.watch.withoutSource(convertMirror(job, hg, mirror, onLine));
}

async function convertMirror(
  job: ConversionJob,
  hg: Hg,
  mirror: string,
  onLine: (line: string) => void,
): Promise<void> {
  const { git, repository, progress, workshop, directory } = job;
  const changesets = await changesetsOf(hg, mirror);
  progress.commitCount = changesets.length;
  await makeRepository(git, step, repository);
  if (changesets.length === 0) return publish(git, step, repository, 'master');
  // Like the address of a Subversion repository's users: the first changeset is what tells one repository from others.
  const domain = changesets.at(-1)?.node ?? '';
  const authors = join(directory, 'authors');
  await writeFile(authors, authorsFile(new Set(changesets.map(({ author }) => author)), domain));
  const settings = ['--config', 'extensions.hggit=', '--config', `git.authors=${authors}`];
  await hg.run(step, ['gexport', '-R', mirror, ...settings], { onLine }).catch(async (error: unknown) => {
    // Whatever state a killed one has left is not come back to.
    if (SourceError.is(error) && error.failure === 'tool-failed') await rm(join(directory, labelName), { force: true });
    throw error;
  });
  const made = join(mirror, '.hg', 'git');
  await replaceRefs(git, step, made, await refsOf(changesets, mirror));
  await adopt(git, step, repository, made);
  await editAdopted(git, workshop, step, repository, plain(domain));
  await publish(git, step, repository, 'master');
}

/** The source's repository on this host. Goes on with one that is there; a pull is all or nothing. */
async function pull({ location, directory }: ConversionJob, hg: Hg, onLine: (line: string) => void): Promise<string> {
  const mirror = join(directory, 'mirror');
  const label = join(directory, labelName);
  const identity = `${location.url.href}\n`;
  const url = location.url.href;
  if ((await readFile(label, 'utf8').catch(() => '')) === identity) {
    try {
      await hg.run(fetching, ['recover', '-R', mirror, '--config', 'ui.timeout=5']).catch(ignoreNothingToDo);
      await hg.run(fetching, ['pull', '-R', mirror, '--', url], { onLine });
      return mirror;
    } catch (error) {
      if (!SourceError.is(error) || error.failure !== 'tool-failed') throw error;
      // What a killed one has left is not always of use.
    }
  }
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await hg.run(fetching, ['init', '--', mirror]);
  await writeFile(label, identity);
  await hg.run(fetching, ['pull', '-R', mirror, '--', url], { onLine });
  return mirror;
}

function ignoreNothingToDo(error: unknown): void {
  if (!SourceError.is(error) || error.failure !== 'tool-failed') throw error;
}

/** Who is to be whom, for those hg-git would give no or everybody the same address. */
function authorsFile(authors: ReadonlySet<string>, domain: string): string {
  const lines = [...authors].flatMap((author) => {
    const { name, email } = validAuthor(author, domain);
    const valid = `${name} <${email}>`;
    return valid === author || /[=\n]/.test(author) || author.trim() === '' ? [] : [`${author} = ${valid}\n`];
  });
  return lines.join('');
}

/** What hg-git leaves in commits for its own way back, taken out; and whoever it could not make valid, made valid. */
const plain = (domain: string) => ({
  message: (message: Buffer): Buffer => {
    const text = message.toString('latin1');
    const at = text.search(/\n--HG--\n(?:(?:branch|rename|extra) : [^\n]*\n?)+$/);
    return at < 0 ? message : message.subarray(0, at);
  },
  person: (person: string): string => {
    const [, , email = ''] = /^(.*?) ?<([^>]*)>$/.exec(person) ?? [];
    if (isAddress(email) && email !== 'none@none') return person;
    const valid = validAuthor(person.replace('<none@none>', '').replace(/ ext:\([^)]*\)/, ''), domain);
    return `${valid.name} <${valid.email}>`;
  },
});

interface Changeset {
  readonly node: string;
  readonly author: string;
  readonly branch: string;
  readonly isHead: boolean;
  readonly isClosed: boolean;
  readonly bookmarks: readonly string[];
  readonly tags: readonly string[];
}

/** All of them, the youngest first. */
async function changesetsOf(hg: Hg, mirror: string): Promise<readonly Changeset[]> {
  const fields = [
    '{node}',
    '{author|json}',
    '{branch|json}',
    '{ifcontains(rev, revset("head()"), "head")}',
    '{extras.close}',
    '{bookmarks|json}',
    '{tags|json}',
  ];
  const rows = await hg.rows(step, mirror, ['log', '-T', `${fields.join('\\t')}\\n`]);
  return rows.map(([node = '', author = '""', branch = '""', head, close, bookmarks = '[]', tags = '[]']) => ({
    node,
    author: JSON.parse(author) as string,
    branch: JSON.parse(branch) as string,
    isHead: head === 'head',
    isClosed: close === '1',
    bookmarks: JSON.parse(bookmarks) as string[],
    tags: JSON.parse(tags) as string[],
  }));
}

async function refsOf(changesets: readonly Changeset[], mirror: string): Promise<Refs> {
  const map = await readFile(join(mirror, '.hg', 'git-mapfile'), 'utf8');
  const commits = new Map(
    map.split('\n').flatMap((line): [string, string][] => {
      const [commit, node] = line.split(' ');
      return commit && node ? [[node, commit]] : [];
    }),
  );
  return mercurialRefs(
    changesets.filter(({ isHead }) => isHead),
    changesets.flatMap(({ node, bookmarks }) => bookmarks.map((name) => ({ name, node }))),
    changesets.flatMap(({ node, tags }) => tags.filter((name) => name !== 'tip').map((name) => ({ name, node }))),
    (node) => commits.get(node),
  );
}
