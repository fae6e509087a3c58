import { join } from 'node:path';
import type { ConversionContext, ConvertOptions } from './conversion-context.js';
import { Git } from './git/git.js';
import { type Location, readLocation } from './location.js';
import { Gate } from './network/gate.js';
import { type Trust, writeTrust } from './network/trust.js';
import { Progress } from './progress.js';
import type { Source } from './source.js';
import { SourceError } from './source-error.js';
import { Workshop } from './tools/workshop.js';

/** What every question to a source and every conversion works with. */
export interface Job {
  readonly source: Source;
  readonly location: Location;
  readonly context: ConversionContext;
  readonly workshop: Workshop;
  readonly gate: Gate;
  /** When the context names authorities. */
  readonly trust: Trust | undefined;
  readonly git: Git;
}

export interface ConversionJob extends Job {
  readonly repository: string;
  readonly progress: Progress;
  /** For what a converter leaves on the way, and finds again when it goes on. */
  readonly directory: string;
}

/** Works on a source with a home and a way out that end with the work. */
export async function withJob<T>(
  source: Source,
  context: ConversionContext,
  work: (job: Job) => Promise<T>,
  watched: readonly string[] = [],
): Promise<T> {
  const location = readLocation(source, context);
  const { url, credentials } = location;
  const secrets = [credentials?.password ?? '', credentials && `${credentials.username}:${credentials.password}`];
  const workshop = await Workshop.open(context, { watched, secrets: secrets.filter((secret) => secret !== undefined) });
  try {
    const gate = await Gate.open(context, workshop.watch.seeActivity);
    try {
      const trust = await writeTrust(workshop.home, context.authorities);
      const git = await Git.open(workshop, {
        ...context,
        gate,
        ...(trust && { authorityFile: trust.bundle }),
        ...(credentials && { credentials: { url, ...credentials } }),
      });
      const { signal } = workshop;
      return await work({ source, location, context: { ...context, signal }, workshop, gate, trust, git });
    } catch (error) {
      workshop.watch.throwIfEnded();
      throw betterReason(error, gate);
    } finally {
      await gate.close();
    }
  } finally {
    await workshop.close();
  }
}

/** A tool only knows that there was no connection; the gate knows why. */
function betterReason(error: unknown, gate: Gate): unknown {
  const failure = gate.takeFailure();
  if (failure === undefined || !SourceError.is(error) || error.failure === 'missing-program') return error;
  return new SourceError(failure.failure, failure.message, error.step, error.output, { cause: error });
}

/** The same for a conversion. */
export function withConversion(
  source: Source,
  options: ConvertOptions,
  work: (job: ConversionJob) => Promise<void>,
): Promise<void> {
  const { repository, onProgress, ...context } = options;
  const convert = async (job: Job): Promise<void> => {
    const progress = new Progress(onProgress);
    await work({ ...job, repository, progress, directory: join(context.scratch, 'conversion') });
    await job.workshop.watch.checkSize();
    job.workshop.watch.throwIfEnded();
    progress.finish();
  };
  return withJob(source, context, convert, [repository]);
}
