import type {
  SourceContext,
  SourceConversionOptions,
  SourceDetection,
  SourceDriver,
  SourceRepository,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { SourceSessions } from '@gantry/lib-source';
import { convertGit } from './convert-git.js';
import { detectGit } from './detect-git.js';

@injectable()
export class GitSource implements SourceDriver {
  readonly capabilities = { schemes: ['git:', 'http:', 'https:', 'file:'], projects: 'none' } as const;

  constructor(@inject(SourceSessions) private readonly sessions: SourceSessions) {}

  detect(source: SourceRepository, context: SourceContext): Promise<SourceDetection> {
    return this.sessions.run(source, context, detectGit);
  }

  convert(source: SourceRepository, options: SourceConversionOptions): Promise<void> {
    return this.sessions.convert(source, options, convertGit);
  }
}
