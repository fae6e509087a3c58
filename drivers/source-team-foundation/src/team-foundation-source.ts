import type {
  SourceContext,
  SourceConversionOptions,
  SourceDetection,
  SourceDriver,
  SourceRepository,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { SourceSessions } from '@gantry/lib-source';
import { convertTeamFoundation } from './convert-team-foundation.js';
import { detectTeamFoundation } from './detect-team-foundation.js';

@injectable()
export class TeamFoundationSource implements SourceDriver {
  readonly capabilities = { schemes: ['http:', 'https:'], projects: 'names' } as const;

  constructor(@inject(SourceSessions) private readonly sessions: SourceSessions) {}

  detect(source: SourceRepository, context: SourceContext): Promise<SourceDetection> {
    return this.sessions.run(source, context, detectTeamFoundation);
  }

  convert(source: SourceRepository, options: SourceConversionOptions): Promise<void> {
    return this.sessions.convert(source, options, convertTeamFoundation);
  }
}
