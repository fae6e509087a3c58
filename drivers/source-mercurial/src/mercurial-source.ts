import type {
  SourceContext,
  SourceConversionOptions,
  SourceDetection,
  SourceDriver,
  SourceRepository,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { SourceSessions } from '@gantry/lib-source';
import { convertMercurial } from './convert-mercurial.js';
import { detectMercurial } from './detect-mercurial.js';

@injectable()
export class MercurialSource implements SourceDriver {
  readonly capabilities = { schemes: ['http:', 'https:', 'file:'], projects: 'none' } as const;

  constructor(@inject(SourceSessions) private readonly sessions: SourceSessions) {}

  detect(source: SourceRepository, context: SourceContext): Promise<SourceDetection> {
    return this.sessions.run(source, context, detectMercurial);
  }

  convert(source: SourceRepository, options: SourceConversionOptions): Promise<void> {
    return this.sessions.convert(source, options, convertMercurial);
  }
}
