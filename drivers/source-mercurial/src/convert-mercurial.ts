import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import {
  adoptRepository,
  type ConversionSession,
  createRepository,
  editAdopted,
  isAddress,
  publishAdopted,
  type Refs,
  replaceRefs,
  validAuthor,
} from '@gantry/lib-source';
import { Hg } from './hg.js';
import { mercurialRefs } from './mercurial-refs.js';

const fetching = 'fetching the Mercurial repository';
const step = 'converting the Mercurial repository';

/** A file with the URL of the mirrored repository; without it the mirror is incomplete. */
const labelName = 'mirror-of';

/** Phases of the work by hg's names for them, with their shares of the progress. */
const phases: Readonly<Record<string, { readonly from: number; readonly to: number }>> = {
  changesets: { from: 0, to: 20 },
  manifests: { from: 20, to: 35 },
  files: { from: 35, to: 60 },
  exporting: { from: 60, to: 92 },
};

/** Pulls the repository into a mirror on this host, and converts its changesets to commits with hg-git. */
export async function convertMercurial(session: ConversionSession): Promise<void> {
  const { progress } = session;
  const hg = await Hg.open(session);
  const onLine = (line: string): void => {
    const [, topic = '', done, all] = /^(\w+) (\d+)\/(\d+)\b/.exec(line) ?? [];
    const phase = phases[topic];
    if (phase === undefined) return;
    if (topic === 'changesets' && progress.commitCount === undefined) progress.commitCount = Number(all);
    progress.advance(Number(done), Number(all), phase);
  };
  const mirror = await pull(session, hg, onLine);
  await session.sandbox.watch.withoutStallTimer(convertMirror(session, hg, mirror, onLine));
}

async function convertMirror(
  session: ConversionSession,
  hg: Hg,
  mirror: string,
  onLine: (line: string) => void,
): Promise<void> {
  const { git, repository, progress, sandbox, directory } = session;
  const changesets = await changesetsOf(hg, mirror);
  progress.commitCount = changesets.length;
  await createRepository(git, step, repository);
  if (changesets.length === 0) return publishAdopted(git, step, repository, 'master');
  // The first changeset identifies the repository, as the uuid does in addresses of Subversion's users.
  const domain = changesets.at(-1)?.node ?? '';
  const authors = join(directory, 'authors');
  await writeFile(authors, authorsFile(new Set(changesets.map(({ author }) => author)), domain));
  const settings = ['--config', 'extensions.hggit=', '--config', `git.authors=${authors}`];
  await hg.run(step, ['gexport', '-R', mirror, ...settings], { onLine }).catch(async (error: unknown) => {
    // A killed hg may have damaged the mirror: the next conversion starts afresh.
    if (SourceError.is(error) && error.failure === 'tool-failed') await rm(join(directory, labelName), { force: true });
    throw error;
  });
  const exported = join(mirror, '.hg', 'git');
  await replaceRefs(git, step, exported, await refsOf(changesets, mirror));
  await adoptRepository(git, step, repository, exported);
  await editAdopted(git, sandbox, step, repository, withoutTraces(domain));
  await publishAdopted(git, step, repository, 'master');
}

/** Updates the mirror, or creates it. A pull is a transaction. */
async function pull(
  { location, directory }: ConversionSession,
  hg: Hg,
  onLine: (line: string) => void,
): Promise<string> {
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
      // A killed hg may have damaged the mirror: it is created again.
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

/** hg-git's mapping of authors, for those to whom it would give no address or all the same one. */
function authorsFile(authors: ReadonlySet<string>, domain: string): string {
  const lines = [...authors].flatMap((author) => {
    const { name, email } = validAuthor(author, domain);
    const valid = `${name} <${email}>`;
    return valid === author || /[=\n]/.test(author) || author.trim() === '' ? [] : [`${author} = ${valid}\n`];
  });
  return lines.join('');
}

/** Removes hg-git's metadata from messages, and corrects authors that it left invalid. */
const withoutTraces = (domain: string) => ({
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

/** All changesets, the newest first. */
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
