import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ConversionJob } from '../job.js';
import { adopt, makeRepository, publish } from '../repository/adopt.js';
import { readRefs, replaceRefs } from '../repository/refs.js';
import { SourceError } from '../source-error.js';
import { changesetStream } from './changeset-stream.js';
import { isSame, projectsOf } from './detect-team-foundation.js';
import { linesOf } from './lines.js';
import { type Changeset, TeamFoundationRest } from './rest.js';

const step = 'converting the Team Foundation project';
/** What converting takes of the whole. */
const part = { from: 2, to: 96 };
/** Changesets between two states that an interrupted conversion goes on from. */
const pageSize = 100;

/** How far a conversion has come: everything before `nextId` is in `refs`. */
interface State {
  readonly project: string;
  readonly nextId: number;
  readonly refs: Readonly<Record<string, string>>;
}

/** Makes commits of a project's changesets, one folder that was branched a branch. */
export async function convertTeamFoundation(job: ConversionJob): Promise<void> {
  const { git, repository, progress, workshop, directory, location } = job;
  const rest = new TeamFoundationRest(job, step);
  const project = await chosenProject(job, rest);
  const root = `$/${project}`;
  const branches = (await rest.branches(root)).map(({ path }) => path);
  const lines = linesOf(project, branches);
  const changesets = await allChangesets(rest, root);
  progress.commitCount = changesets.length;

  const made = join(directory, 'made');
  const state = await beginning(job, `${location.url.href} ${project}`, made);
  let { refs } = state;
  let done = changesets.findIndex(({ changesetId }) => changesetId >= state.nextId);
  if (done < 0) done = changesets.length;
  const onChangeset = (): void => {
    done += 1;
    progress.advance(done, changesets.length, part);
  };
  while (done < changesets.length) {
    const page = changesets.slice(done, done + pageSize);
    const begun = new Set(Object.keys(refs).map((name) => name.slice('refs/heads/'.length)));
    // A branch that is there already goes on from what the last page left.
    const resets = Object.entries(refs).map(([name, id]) => `reset ${name}\nfrom ${id}\n\n`);
    const commits = changesetStream(page, {
      ...{ rest, lines, begun, onChangeset, onActivity: workshop.watch.seeActivity },
      spool: directory,
      domain: location.url.hostname,
    });
    await workshop.run(step, {
      ...git.call(made, ['fast-import', '--quiet', '--force', '--done']),
      input: Readable.from(after(resets, commits)),
    });
    refs = Object.fromEntries(await readRefs(git, step, made, ['refs/heads/']));
    await save(job, { project: state.project, nextId: (page.at(-1)?.changesetId ?? 0) + 1, refs });
  }
  await makeRepository(git, step, repository);
  await workshop.watch.withoutSource(adopt(git, step, repository, made));
  await publish(git, step, repository, 'master');
}

async function* after(first: readonly string[], rest: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  yield* first;
  yield* rest;
}

async function chosenProject({ source }: ConversionJob, rest: TeamFoundationRest): Promise<string> {
  const projects = await projectsOf(rest);
  const { project } = source;
  const chosen = project === undefined ? projects[0] : projects.find((name) => isSame(name, project));
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

/** The state an earlier conversion of the same project left, with its refs as they were then; or an empty one. */
async function beginning({ git, directory }: ConversionJob, project: string, made: string): Promise<State> {
  const kept = await readState(directory);
  if (kept?.project === project) {
    try {
      await replaceRefs(git, step, made, new Map(Object.entries(kept.refs)));
      return kept;
    } catch (error) {
      if (!SourceError.is(error) || error.failure !== 'tool-failed') throw error;
      // What it refers to did not reach the disk.
    }
  }
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await makeRepository(git, step, made);
  return { project, nextId: 1, refs: {} };
}

async function readState(directory: string): Promise<State | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, 'state.json'), 'utf8')) as State;
  } catch {
    return undefined;
  }
}

async function save({ directory }: ConversionJob, state: State): Promise<void> {
  await writeFile(join(directory, 'state.json.new'), JSON.stringify(state));
  await rename(join(directory, 'state.json.new'), join(directory, 'state.json'));
}
