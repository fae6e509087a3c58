import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SourceError } from '@gantry/core/contracts';
import {
  adoptRepository,
  type ConversionSession,
  createRepository,
  publishAdopted,
  readRefs,
  replaceRefs,
} from '@gantry/lib-source';
import { branchFoldersOf } from './branch-folders.js';
import { changesetStream } from './changeset-stream.js';
import { isSameProject, projectsOf } from './detect-team-foundation.js';
import { type Changeset, TeamFoundationRest } from './team-foundation-rest.js';

const step = 'converting the Team Foundation project';
/** The share of the conversion in the progress. */
const phase = { from: 2, to: 96 };
/** Changesets between two states that an interrupted conversion can resume from. */
const pageSize = 100;

/** A state to resume from: everything before `nextId` is in `refs`. */
interface ConversionState {
  readonly project: string;
  readonly nextId: number;
  readonly refs: Readonly<Record<string, string>>;
}

/** Converts a project's changesets to commits, each branch folder to a branch. */
export async function convertTeamFoundation(session: ConversionSession): Promise<void> {
  const { git, repository, progress, sandbox, directory, location } = session;
  const rest = new TeamFoundationRest(session, step);
  const project = await chosenProject(session, rest);
  const root = `$/${project}`;
  const branches = branchFoldersOf(
    project,
    (await rest.branches(root)).map(({ path }) => path),
  );
  const changesets = await allChangesets(rest, root);
  progress.commitCount = changesets.length;

  const converted = join(directory, 'made');
  const state = await resumeState(session, `${location.url.href} ${project}`, converted);
  let { refs } = state;
  let done = changesets.findIndex(({ changesetId }) => changesetId >= state.nextId);
  if (done < 0) done = changesets.length;
  const onChangeset = (): void => {
    done += 1;
    progress.advance(done, changesets.length, phase);
  };
  while (done < changesets.length) {
    const page = changesets.slice(done, done + pageSize);
    const existing = new Set(Object.keys(refs).map((name) => name.slice('refs/heads/'.length)));
    // Existing branches continue from their last commits.
    const resets = Object.entries(refs).map(([name, id]) => `reset ${name}\nfrom ${id}\n\n`);
    const commits = changesetStream(page, {
      ...{ rest, branches, existing, onChangeset, onActivity: sandbox.watch.recordActivity },
      spool: directory,
      domain: location.url.hostname,
    });
    await sandbox.run(step, {
      ...git.call(converted, ['fast-import', '--quiet', '--force', '--done']),
      input: Readable.from(concatenate(resets, commits)),
    });
    refs = Object.fromEntries(await readRefs(git, step, converted, ['refs/heads/']));
    await save(session, { project: state.project, nextId: (page.at(-1)?.changesetId ?? 0) + 1, refs });
  }
  await createRepository(git, step, repository);
  await sandbox.watch.withoutStallTimer(adoptRepository(git, step, repository, converted));
  await publishAdopted(git, step, repository, 'master');
}

async function* concatenate(
  first: readonly string[],
  second: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  yield* first;
  yield* second;
}

async function chosenProject({ source }: ConversionSession, rest: TeamFoundationRest): Promise<string> {
  const projects = await projectsOf(rest);
  const { project } = source;
  const chosen = project === undefined ? projects[0] : projects.find((name) => isSameProject(name, project));
  if (chosen !== undefined && (project !== undefined || projects.length === 1)) return chosen;
  const names = projects.join(', ') || 'none';
  throw new SourceError(
    'project-needed',
    project === undefined ? `tfvc_project: name one of the projects: ${names}` : `tfvc_project: there is no ${project}`,
    step,
  );
}

async function allChangesets(rest: TeamFoundationRest, root: string): Promise<readonly Changeset[]> {
  const all: Changeset[] = [];
  for (;;) {
    const page = await rest.changesets(root, (all.at(-1)?.changesetId ?? 0) + 1, pageSize);
    const last = all.at(-1)?.changesetId ?? 0;
    const further = page.filter(({ changesetId }) => changesetId > last);
    if (further.length === 0) return all;
    all.push(...further);
  }
}

/** The state that an earlier conversion of the project saved, with the refs reset to it; or an empty one. */
async function resumeState(
  { git, directory }: ConversionSession,
  project: string,
  converted: string,
): Promise<ConversionState> {
  const saved = await readState(directory);
  if (saved?.project === project) {
    try {
      await replaceRefs(git, step, converted, new Map(Object.entries(saved.refs)));
      return saved;
    } catch (error) {
      if (!SourceError.is(error) || error.failure !== 'tool-failed') throw error;
      // Its commits were not flushed to the disk before a crash.
    }
  }
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await createRepository(git, step, converted);
  return { project, nextId: 1, refs: {} };
}

async function readState(directory: string): Promise<ConversionState | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, 'state.json'), 'utf8')) as ConversionState;
  } catch {
    return undefined;
  }
}

async function save({ directory }: ConversionSession, state: ConversionState): Promise<void> {
  await writeFile(join(directory, 'state.json.new'), JSON.stringify(state));
  await rename(join(directory, 'state.json.new'), join(directory, 'state.json'));
}
