import { type ConversionSession, createRepository, publishAdopted, reachableUrl, sourceRefs } from '@gantry/lib-source';
import { explainGit } from './explain-git.js';

const step = 'fetching the Git repository';

/** Phases of a fetch by git's names for them, with their shares of the progress. */
const phases: Readonly<Record<string, { readonly from: number; readonly to: number }>> = {
  'Counting objects': { from: 0, to: 3 },
  'Compressing objects': { from: 3, to: 8 },
  'Receiving objects': { from: 8, to: 85 },
  'Resolving deltas': { from: 85, to: 96 },
};

/** Fetches branches, tags and notes unchanged: every object keeps its id. */
export async function convertGit({ location, context, git, repository, progress }: ConversionSession): Promise<void> {
  const url = await reachableUrl(location.url, context);
  const explain = explainGit(location, step);
  await createRepository(git, step, repository);
  const [head = ''] = await git.lines(step, repository, ['ls-remote', '--symref', '--', url, 'HEAD'], { explain });
  const onLine = (line: string): void => {
    const [, name = '', done, all] = /^(?:remote: )?([A-Z][a-z]+ [a-z]+): +\d+% \((\d+)\/(\d+)\)/.exec(line) ?? [];
    const phase = phases[name];
    if (phase !== undefined) progress.advance(Number(done), Number(all), phase);
  };
  await git.run(
    step,
    repository,
    [
      'fetch',
      '--progress',
      '--prune',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--',
      url,
      `+refs/heads/*:${sourceRefs}heads/*`,
      `+refs/tags/*:${sourceRefs}tags/*`,
      '+refs/notes/*:refs/notes/*',
    ],
    { explain, onLine },
  );
  progress.commitCount = Number(await git.text(step, repository, ['rev-list', '--count', `--glob=${sourceRefs}*`]));
  await publishAdopted(git, step, repository, /^ref: refs\/heads\/(.*)\tHEAD$/.exec(head)?.[1]);
}
