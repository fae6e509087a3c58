import { join } from 'node:path';
import {
  type SourceContext,
  type SourceConversionOptions,
  SourceError,
  type SourceRepository,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Processes } from '@gantry/lib-linux/processes';
import { Git } from '../git/git.js';
import { FilteringProxy } from '../network/filtering-proxy.js';
import { type TrustedCertificates, writeTrustedCertificates } from '../network/trusted-certificates.js';
import { ToolSandbox } from '../sandbox/tool-sandbox.js';
import { ProgressReporter } from './progress-reporter.js';
import { readLocation, type SourceLocation } from './source-location.js';

/** One call on a source: its location, a sandbox for programs and a way to the network, all released with the call. */
export interface SourceSession {
  readonly source: SourceRepository;
  readonly location: SourceLocation;
  readonly context: SourceContext;
  readonly sandbox: ToolSandbox;
  readonly proxy: FilteringProxy;
  /** Set when the context names authorities. */
  readonly trust: TrustedCertificates | undefined;
  readonly git: Git;
}

export interface ConversionSession extends SourceSession {
  readonly repository: string;
  readonly progress: ProgressReporter;
  /** What the converter keeps between calls, to resume from. */
  readonly directory: string;
}

/** Opens a session for each call of a driver. */
@injectable()
export class SourceSessions {
  constructor(
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Processes.token) private readonly processes: Processes,
  ) {}

  async run<T>(
    source: SourceRepository,
    context: SourceContext,
    work: (session: SourceSession) => Promise<T>,
    watched: readonly string[] = [],
  ): Promise<T> {
    const location = readLocation(source, context);
    const { url, credentials } = location;
    const secrets = credentials && [credentials.password, `${credentials.username}:${credentials.password}`];
    const host = { launcher: this.launcher, processes: this.processes };
    const options = { ...context, ...host, watched, ...(secrets !== undefined && { secrets }) };
    const sandbox = await ToolSandbox.open(options);
    try {
      const proxy = await FilteringProxy.open(context, sandbox.watch.recordActivity);
      try {
        const trust = await writeTrustedCertificates(sandbox.home, context.authorities);
        const git = await Git.open(sandbox, {
          ...context,
          proxy,
          ...(trust && { authorityFile: trust.bundle }),
          ...(credentials && { credentials: { url, ...credentials } }),
        });
        const { signal } = sandbox;
        return await work({ source, location, context: { ...context, signal }, sandbox, proxy, trust, git });
      } catch (error) {
        sandbox.watch.throwIfAborted();
        throw withProxyFailure(error, proxy);
      } finally {
        await proxy.close();
      }
    } finally {
      await sandbox.close();
    }
  }

  convert(
    source: SourceRepository,
    options: SourceConversionOptions,
    work: (session: ConversionSession) => Promise<void>,
  ): Promise<void> {
    const { repository, onProgress, ...context } = options;
    const convert = async (session: SourceSession): Promise<void> => {
      const progress = new ProgressReporter(onProgress);
      await work({ ...session, repository, progress, directory: join(context.scratch, 'conversion') });
      await session.sandbox.watch.checkSize();
      session.sandbox.watch.throwIfAborted();
      progress.finish();
    };
    return this.run(source, context, convert, [repository]);
  }
}

/** Programs only report that a connection failed; the proxy knows why. */
function withProxyFailure(error: unknown, proxy: FilteringProxy): unknown {
  const failure = proxy.takeFailure();
  if (failure === undefined || !SourceError.is(error) || error.failure === 'missing-program') return error;
  return new SourceError(failure.failure, failure.message, error.step, error.output, { cause: error });
}
