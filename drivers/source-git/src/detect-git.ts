import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SourceDetection, SourceError } from '@gantry/core/contracts';
import { pathExists } from '@gantry/core/driver';
import { probeRepository, reachableUrl, type SourceSession } from '@gantry/lib-source';
import { explainGit } from './explain-git.js';

/** Whether there is a Git repository: by the smart protocol's advertisement, or by its files. */
export async function detectGit(session: SourceSession): Promise<SourceDetection> {
  const { url } = session.location;
  if (url.protocol === 'file:') return detectDirectory(fileURLToPath(url));
  if (url.protocol === 'git:') return detectDaemon(session);
  const refs = new URL(url);
  refs.pathname = `${url.pathname.replace(/\/+$/, '')}/info/refs`;
  refs.search = '?service=git-upload-pack';
  return probeRepository(session, {
    url: refs,
    system: 'Git',
    matches({ headers }, text) {
      if (headers['content-type'] === 'application/x-git-upload-pack-advertisement') return true;
      // A web server without the smart protocol sends the file itself.
      return /^[0-9a-f]{40,64}\t(refs\/|HEAD)/.test(text);
    },
  });
}

async function detectDirectory(path: string): Promise<SourceDetection> {
  for (const name of ['.git', 'objects']) {
    if (await pathExists(join(path, name))) return { status: 'found' };
  }
  return { status: 'found-nothing', reason: `there is no Git repository at ${path}` };
}

async function detectDaemon({ location, context, git }: SourceSession): Promise<SourceDetection> {
  const step = 'detecting a Git repository';
  try {
    const explain = explainGit(location, step);
    await git.run(step, undefined, ['ls-remote', '--', await reachableUrl(location.url, context), 'HEAD'], { explain });
    return { status: 'found' };
  } catch (error) {
    if (!SourceError.is(error) || !['not-a-repository', 'tool-failed'].includes(error.failure)) throw error;
    return { status: 'found-nothing', reason: error.message };
  }
}
