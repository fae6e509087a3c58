import { SourceError } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, ImportState, ProjectChoice } from '../store/records.js';
import type { ImportStep } from './import-step.js';
import { SourceAccess } from './source-access.js';

/** The result of asking every driver that reads the URL. */
type ImportDetection =
  | { readonly status: 'found'; readonly vcs: string; readonly project?: string }
  | { readonly status: 'found-multiple'; readonly choices: readonly ProjectChoice[] }
  | { readonly status: 'found-nothing'; readonly reason: string }
  | { readonly status: 'needs-auth'; readonly refused: boolean };

/** `detecting`: finds out which version control system a source uses. */
@injectable()
export class DetectSource implements ImportStep {
  constructor(
    @inject(SourceAccess) private readonly access: SourceAccess,
    @inject(ImportStore) private readonly store: ImportStore,
  ) {}

  async run(record: ImportRecord, signal: AbortSignal): Promise<void> {
    const detection = await this.detect(record, signal);
    await this.store.change(record.id, (now) => {
      if (detection.status !== 'found') return { ...now, state: stateOf(detection) };
      const project = detection.project ?? now.project;
      return { ...now, vcs: detection.vcs, ...(project !== undefined && { project }), state: { status: 'importing' } };
    });
  }

  /** Asks the drivers one after the other, until one finds a repository. Rejects as a driver does. */
  async detect(record: ImportRecord, signal: AbortSignal): Promise<ImportDetection> {
    const ids = this.access.driverIds(record);
    const reasons = new Set<string>();
    let needsAuth: ImportDetection | undefined;
    for (const vcs of ids) {
      const source = this.access.source(record);
      const driver = this.access.driver(vcs);
      const detection = await driver.detect(source, this.access.context(record, signal)).catch((error: unknown) => {
        if (SourceError.is(error) && error.failure === 'unreachable') return error;
        throw error;
      });
      if (SourceError.is(detection)) {
        // The host is unreachable for the other drivers as well.
        reasons.add(detection.message);
        break;
      }
      if (detection.status === 'found') return { ...detection, vcs };
      if (detection.status === 'found-multiple') {
        return { status: 'found-multiple', choices: detection.choices.map((choice) => ({ vcs, ...choice })) };
      }
      if (detection.status === 'needs-auth') needsAuth ??= detection;
      else reasons.add(detection.reason);
    }
    if (needsAuth !== undefined) return needsAuth;
    if (ids.length === 0) reasons.add(`no source driver reads ${new URL(record.url).protocol} URLs of this kind`);
    return { status: 'found-nothing', reason: [...reasons].join('; ') };
  }
}

function stateOf(detection: Exclude<ImportDetection, { readonly status: 'found' }>): ImportState {
  switch (detection.status) {
    case 'found-multiple':
      return { status: 'detection_found_multiple', choices: detection.choices };
    case 'found-nothing':
      return { status: 'detection_found_nothing', message: detection.reason };
    case 'needs-auth': {
      const message = detection.refused ? 'the source refused the credentials' : 'the source asks for credentials';
      return { status: 'detection_needs_auth', message };
    }
  }
}
