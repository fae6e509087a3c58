import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionJob } from '../job.js';
import { adopt, makeRepository, publish } from '../repository/adopt.js';
import { validAuthor } from '../repository/valid-author.js';
import { SourceError } from '../source-error.js';
import { exportedName, exportRules } from './export-rules.js';
import { findProjects, layoutOf, type SubversionLayout } from './layout.js';
import { forgetMirror, mirror } from './mirror.js';
import { type SubversionFacts, Svn } from './svn.js';
import { unescapeXml } from './xml.js';

const step = 'converting the Subversion repository';
/** What converting takes of the whole, after the fetching. */
const part = { from: 82, to: 97 };

/** Copies the repository to this host, and makes branches and tags of its folders. */
export async function convertSubversion(job: ConversionJob): Promise<void> {
  const { progress, directory } = job;
  const svn = await Svn.open(job);
  const facts = await svn.facts('asking the Subversion server');
  progress.commitCount = facts.revision;
  const layout = await chosenLayout(job, svn, facts);
  const mirrored = await mirror(job, svn, facts);
  await job.workshop.watch.withoutSource(convertMirror(job, mirrored, facts, layout)).catch(async (error: unknown) => {
    // A power failure may have left a mirror that only looks whole.
    if (SourceError.is(error) && error.failure === 'tool-failed') await forgetMirror(directory);
    throw error;
  });
}

async function convertMirror(
  job: ConversionJob,
  mirrored: string,
  facts: SubversionFacts,
  layout: SubversionLayout,
): Promise<void> {
  const { git, repository, progress, workshop, directory } = job;
  await makeRepository(git, step, repository);
  const exported = join(directory, 'export');
  await rm(exported, { recursive: true, force: true });
  await mkdir(exported, { recursive: true });
  const [rules, identities] = [join(directory, 'rules'), join(directory, 'identities')];
  await writeFile(rules, exportRules(layout));
  await writeFile(identities, await identityMap(job, mirrored, facts.uuid));
  const onLine = (line: string): void => {
    const [, done] = /^Exporting revision (\d+)/.exec(line) ?? [];
    if (done !== undefined) progress.advance(Number(done), facts.revision, part);
  };
  const options = ['--svn-branches', '--svn-ignore', '--fast-import-timeout', '0', '--identity-domain', facts.uuid];
  await workshop.run(step, {
    program: 'svn-all-fast-export',
    args: [...options, '--identity-map', identities, '--rules', rules, mirrored],
    cwd: exported,
    env: git.environment,
    onLine,
  });
  await adopt(git, step, repository, join(exported, exportedName));
  await rm(exported, { recursive: true, force: true });
  await publish(git, step, repository, 'master');
}

async function chosenLayout(
  { source: { project } }: ConversionJob,
  svn: Svn,
  { path }: SubversionFacts,
): Promise<SubversionLayout> {
  if (project === '/') return { folder: path, standard: undefined };
  if (project === undefined || project === '') return (await findProjects(svn, svn.url, path, step)).layout;
  const names = project.split('/').filter((name) => name !== '');
  if (names.some((name) => name === '.' || name === '..')) {
    throw new SourceError('project-needed', `there is no project ${project}`, step);
  }
  const { directories } = await svn.list(`${svn.url}/${names.map(encodeURIComponent).join('/')}`, step);
  return layoutOf([path, ...names].filter((name) => name !== '').join('/'), directories);
}

/** Everybody who committed, by username, made valid. */
async function identityMap({ workshop }: ConversionJob, mirrored: string, uuid: string): Promise<string> {
  const authors = new Set<string>();
  await workshop.run(step, {
    program: 'svn',
    args: [
      'log',
      '--quiet',
      '--xml',
      '--non-interactive',
      '--config-dir',
      join(workshop.home, 'subversion'),
      `file://${encodeURI(mirrored)}`,
    ],
    onLine: (line) => {
      const [, author] = /^<author>(.*)<\/author>$/.exec(line) ?? [];
      if (author !== undefined) authors.add(unescapeXml(author));
    },
  });
  const lines = [...authors].map((author) => {
    const { name, email } = validAuthor(author, uuid);
    return `${author} = ${name} <${email}>\n`;
  });
  return lines.join('');
}
