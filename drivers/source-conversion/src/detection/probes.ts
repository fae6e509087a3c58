import { explainGit } from '../git/explain-git.js';
import type { Job } from '../job.js';
import { reachableUrl } from '../location.js';
import { type Answer, ask } from '../network/ask.js';
import type { Detection, Vcs } from '../source.js';
import { SourceError } from '../source-error.js';

/** Enough of an answer to know it by. */
const enough = 4096;

/** Whether there is a Git repository. Rejects SourceError `refused-address` and `unreachable`. */
export async function detectGit(job: Job): Promise<Detection> {
  const { url } = job.location;
  if (url.protocol === 'git:') return detectGitDaemon(job);
  return probe(job, 'git', below(url, 'info/refs', 'service=git-upload-pack'), ({ headers }, text) => {
    if (headers['content-type'] === 'application/x-git-upload-pack-advertisement') return true;
    // Plain web servers give the file itself.
    return /^[0-9a-f]{40,64}\t(refs\/|HEAD)/.test(text);
  });
}

/** Whether there is a Mercurial repository. Rejects as `detectGit` does. */
export function detectMercurial(job: Job): Promise<Detection> {
  const url = new URL(job.location.url);
  url.search = '?cmd=capabilities';
  return probe(job, 'mercurial', url, ({ headers }, text) => {
    return headers['content-type']?.startsWith('application/mercurial-') === true && /\bunbundle|getbundle/.test(text);
  });
}

function below(url: URL, path: string, search: string): URL {
  const inside = new URL(url);
  inside.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  inside.search = `?${search}`;
  return inside;
}

async function probe(
  { location: { credentials }, context, trust }: Job,
  vcs: Vcs,
  url: URL,
  isKnown: (answer: Answer, text: string) => boolean,
): Promise<Detection> {
  const step = `detecting a ${vcs === 'git' ? 'Git' : 'Mercurial'} repository`;
  let place = url;
  const onRedirect = (next: URL): void => {
    place = next;
  };
  const question = { url, authorities: trust?.certificates, onRedirect, ...credentials };
  const answer = await ask(question, context, step).catch((error: unknown) => {
    // That says nothing of the place itself, where another kind of repository may be.
    if (place.origin !== url.origin && SourceError.is(error) && error.failure === 'unreachable') return error;
    throw error;
  });
  if (SourceError.is(answer)) return { status: 'found-nothing', reason: answer.message };
  try {
    if (answer.status === 401 || answer.status === 407) {
      return { status: 'needs-auth', refused: credentials !== undefined };
    }
    if (answer.status === 200 && isKnown(answer, await beginning(answer))) return { status: 'found', vcs };
    return { status: 'found-nothing', reason: `no ${vcs} repository (HTTP ${answer.status})` };
  } finally {
    answer.body.destroy();
  }
}

async function beginning({ body }: Answer): Promise<string> {
  let text = '';
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length >= enough) break;
  }
  return text;
}

async function detectGitDaemon({ location, context, git }: Job): Promise<Detection> {
  const step = 'detecting a Git repository';
  try {
    const explain = explainGit(location, step);
    await git.run(step, undefined, ['ls-remote', '--', await reachableUrl(location.url, context), 'HEAD'], { explain });
    return { status: 'found', vcs: 'git' };
  } catch (error) {
    if (!SourceError.is(error) || !['not-a-repository', 'tool-failed'].includes(error.failure)) throw error;
    return { status: 'found-nothing', reason: error.message };
  }
}
