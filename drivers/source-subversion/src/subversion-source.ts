import type {
  SourceContext,
  SourceConversionOptions,
  SourceDetection,
  SourceDriver,
  SourceRepository,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { SourceSessions } from '@gantry/lib-source';
import { convertSubversion } from './convert-subversion.js';
import { detectSubversion } from './detect-subversion.js';

@injectable()
export class SubversionSource implements SourceDriver {
  readonly capabilities = { schemes: ['svn:', 'http:', 'https:', 'file:'], projects: 'folders' } as const;

  constructor(@inject(SourceSessions) private readonly sessions: SourceSessions) {}

  detect(source: SourceRepository, context: SourceContext): Promise<SourceDetection> {
    return this.sessions.run(source, context, detectSubversion);
  }

  convert(source: SourceRepository, options: SourceConversionOptions): Promise<void> {
    return this.sessions.convert(source, options, convertSubversion);
  }
}
