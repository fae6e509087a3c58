import type { ConvertOptions } from './conversion-context.js';
import { detect } from './detect-source.js';
import { convertGit } from './git/convert-git.js';
import { type ConversionJob, withConversion } from './job.js';
import { convertMercurial } from './mercurial/convert-mercurial.js';
import type { Source, Vcs } from './source.js';
import { SourceError } from './source-error.js';
import { convertSubversion } from './subversion/convert-subversion.js';
import { convertTeamFoundation } from './team-foundation/convert-team-foundation.js';

const converters: Readonly<Record<Vcs, (job: ConversionJob) => Promise<void>>> = {
  git: convertGit,
  subversion: convertSubversion,
  mercurial: convertMercurial,
  tfvc: convertTeamFoundation,
};

/**
 * Imports everything a source holds into a bare repository. Called again after a failure, an abort or the daemon's
 * end with the same scratch and repository it goes on where it can, and begins again cleanly where it cannot; after a
 * success it fetches what is new. Rejects SourceError, or the signal's reason.
 */
export function convertSource(source: Source, options: ConvertOptions): Promise<void> {
  return withConversion(source, options, async (job) => {
    const { vcs } = source;
    if (vcs !== undefined) return converters[vcs](job);
    const found = await detect(job);
    const step = 'detecting the source';
    switch (found.status) {
      case 'found': {
        const project = source.project ?? found.project;
        return converters[found.vcs]({ ...job, source: { ...source, ...(project !== undefined && { project }) } });
      }
      case 'needs-auth':
        throw new SourceError(found.refused ? 'auth-failed' : 'auth-needed', 'the source asks for credentials', step);
      case 'found-multiple':
        throw new SourceError('project-needed', 'the source has several projects: name one of them', step);
      case 'found-nothing':
        throw new SourceError('not-a-repository', found.reason, step);
    }
  });
}
