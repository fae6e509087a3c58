import type { ConversionContext } from './conversion-context.js';
import { detectLocal } from './detection/detect-local.js';
import { detectGit, detectMercurial } from './detection/probes.js';
import { type Job, withJob } from './job.js';
import type { Detection, Source, Vcs } from './source.js';
import { SourceError } from './source-error.js';
import { detectSubversion } from './subversion/detect-subversion.js';
import { detectTeamFoundation } from './team-foundation/detect-team-foundation.js';

/**
 * Says what is at a URL. With `source.vcs` only that kind is asked for. Rejects SourceError `refused-address`,
 * `unsupported-url` or `missing-program`, or the signal's reason; a server that does not answer is `found-nothing`.
 */
export function detectSource(source: Source, context: ConversionContext): Promise<Detection> {
  return withJob(source, context, detect);
}

const detectors: Readonly<Record<Vcs, (job: Job) => Promise<Detection>>> = {
  git: detectGit,
  subversion: detectSubversion,
  mercurial: detectMercurial,
  tfvc: detectTeamFoundation,
};

/** What is spoken by each scheme. */
const spoken: Readonly<Record<string, readonly Vcs[]>> = {
  'svn:': ['subversion'],
  'git:': ['git'],
  'http:': ['git', 'mercurial', 'subversion', 'tfvc'],
  'https:': ['git', 'mercurial', 'subversion', 'tfvc'],
};

/** The same within work that has begun. */
export async function detect(job: Job): Promise<Detection> {
  const { source, location } = job;
  if (location.url.protocol === 'file:') return detectLocal(job);
  const kinds = (spoken[location.url.protocol] ?? []).filter((vcs) => source.vcs === undefined || vcs === source.vcs);
  const reasons: string[] = [];
  let needsAuth: Detection | undefined;
  for (const vcs of kinds) {
    const detection = await detectors[vcs](job).catch((error: unknown) => {
      // The name or the connection is the same for whatever is asked next.
      if (SourceError.is(error) && error.failure === 'unreachable') return error;
      throw error;
    });
    if (SourceError.is(detection)) {
      reasons.push(detection.message);
      break;
    }
    if (detection.status === 'found' || detection.status === 'found-multiple') return detection;
    if (detection.status === 'needs-auth') needsAuth ??= detection;
    else reasons.push(detection.reason);
  }
  if (needsAuth !== undefined) return needsAuth;
  if (kinds.length === 0) reasons.push(`${source.vcs} is not spoken over ${location.url.protocol.slice(0, -1)}`);
  return { status: 'found-nothing', reason: reasons.join('; ') };
}
