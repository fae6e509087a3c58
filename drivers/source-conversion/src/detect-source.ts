import type { ConversionContext } from './conversion-context.js';
import { type Job, withJob } from './job.js';
import type { Detection, Source } from './source.js';
import { detectSubversion } from './subversion/detect-subversion.js';

/**
 * Says what is at a URL. With `source.vcs` only that kind is asked for. Rejects SourceError `refused-address`,
 * `unsupported-url` or `missing-program`, or the signal's reason; a server that does not answer is `found-nothing`.
 */
export function detectSource(source: Source, context: ConversionContext): Promise<Detection> {
  return withJob(source, context, detect);
}

export async function detect(job: Job): Promise<Detection> {
  return detectSubversion(job);
}
