import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import {
  adoptRepository,
  type ConversionSession,
  createRepository,
  publishAdopted,
  validAuthor,
} from '@gantry/lib-source';
import { exportedName, exportRules } from './export-rules.js';
import { findProjects, layoutOf, type SubversionLayout } from './subversion-layout.js';
import { invalidateMirror, mirrorSubversion } from './subversion-mirror.js';
import { type SubversionInfo, Svn } from './svn.js';
import { unescapeXml } from './unescape-xml.js';

const step = 'converting the Subversion repository';
/** The share of the conversion in the progress, after the mirror. */
const phase = { from: 82, to: 97 };

/** Mirrors the repository on this host, and converts its folders to branches and tags. */
export async function convertSubversion(session: ConversionSession): Promise<void> {
  const { progress, directory } = session;
  const svn = await Svn.open(session);
  const info = await svn.info('asking the Subversion server');
  progress.commitCount = info.revision;
  const layout = await chosenLayout(session, svn, info);
  const mirrored = await mirrorSubversion(session, svn, info);
  await session.sandbox.watch
    .withoutStallTimer(convertMirror(session, mirrored, info, layout))
    .catch(async (error: unknown) => {
      // A power failure may have damaged the mirror.
      if (SourceError.is(error) && error.failure === 'tool-failed') await invalidateMirror(directory);
      throw error;
    });
}

async function convertMirror(
  session: ConversionSession,
  mirrored: string,
  info: SubversionInfo,
  layout: SubversionLayout,
): Promise<void> {
  const { git, repository, progress, sandbox, directory } = session;
  await createRepository(git, step, repository);
  const exported = join(directory, 'export');
  await rm(exported, { recursive: true, force: true });
  await mkdir(exported, { recursive: true });
  const [rules, identities] = [join(directory, 'rules'), join(directory, 'identities')];
  await writeFile(rules, exportRules(layout));
  await writeFile(identities, await identityMap(session, mirrored, info.uuid));
  const onLine = (line: string): void => {
    const [, done] = /^Exporting revision (\d+)/.exec(line) ?? [];
    if (done !== undefined) progress.advance(Number(done), info.revision, phase);
  };
  const options = ['--svn-branches', '--svn-ignore', '--fast-import-timeout', '0', '--identity-domain', info.uuid];
  await sandbox.run(step, {
    program: 'svn-all-fast-export',
    args: [...options, '--identity-map', identities, '--rules', rules, mirrored],
    cwd: exported,
    env: git.environment,
    onLine,
  });
  await adoptRepository(git, step, repository, join(exported, exportedName));
  await rm(exported, { recursive: true, force: true });
  await publishAdopted(git, step, repository, 'master');
}

async function chosenLayout(
  { source: { project } }: ConversionSession,
  svn: Svn,
  { path }: SubversionInfo,
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

/** Maps usernames of committers to valid Git identities. */
async function identityMap({ sandbox }: ConversionSession, mirrored: string, uuid: string): Promise<string> {
  const authors = new Set<string>();
  await sandbox.run(step, {
    program: 'svn',
    args: [
      'log',
      '--quiet',
      '--xml',
      '--non-interactive',
      '--config-dir',
      join(sandbox.home, 'subversion'),
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
