import type { ConversionContext, LargeFileChoice } from '@gantry/source-conversion';
import { SourceError } from '@gantry/source-conversion';
import type { SourceImportConfig } from '../config.js';
import type { Conversion } from '../conversion.js';
import type { WorkingStatus } from '../states.js';
import { mappingsOf } from '../store/authors.js';
import type { ImportStore } from '../store/import-store.js';
import type { ImportRecord, LfsChoice } from '../store/records.js';
import type { CredentialVault } from './credentials.js';
import type { DestinationRule } from './destinations.js';
import type { Directories } from './directories.js';
import type { ProgressBoard } from './progress.js';

export interface StepParts {
  readonly conversion: Conversion;
  readonly store: ImportStore;
  readonly directories: Directories;
  readonly credentials: CredentialVault;
  readonly progress: ProgressBoard;
  readonly config: () => SourceImportConfig;
  readonly destinations: () => DestinationRule;
  /** Trusted besides those of the host, each in PEM. */
  readonly authorities: () => readonly string[];
  /** Makes the repository clients read hold what was converted. */
  readonly publish: (record: ImportRecord, onProgress: (percent: number) => void, signal: AbortSignal) => Promise<void>;
}

/** Does what one state is for, and moves the import on. Rejects with why it could not, or the signal's reason. */
type Step = (record: ImportRecord, parts: StepParts, signal: AbortSignal) => Promise<unknown>;

/** How large files are treated. Undecided is no reason to wait: the choice can be made afterwards, too. */
const treatments: Readonly<Record<LfsChoice, LargeFileChoice>> = {
  undecided: 'keep',
  opt_in: 'lfs',
  opt_out: 'remove',
};

const detect: Step = async (record, parts, signal) => {
  const { conversion, store } = parts;
  const found = await conversion.detectSource(sourceOf(record, parts), contextOf(record, parts, signal));
  await store.change(record.id, (now) => {
    switch (found.status) {
      case 'found': {
        const project = found.project ?? now.project;
        return { ...now, vcs: found.vcs, ...(project !== undefined && { project }), state: { status: 'importing' } };
      }
      case 'found-multiple':
        return { ...now, state: { status: 'detection_found_multiple', choices: found.choices } };
      case 'found-nothing':
        return { ...now, state: { status: 'detection_found_nothing', message: found.reason } };
      case 'needs-auth': {
        const message = found.refused ? 'the source refused the credentials' : 'the source asks for credentials';
        return { ...now, state: { status: 'detection_needs_auth', message } };
      }
    }
  });
};

const fetchSource: Step = async (record, parts, signal) => {
  const { conversion, store, directories, progress } = parts;
  const { converted, scratch } = directories.import(record.id);
  try {
    await conversion.convertSource(sourceOf(record, parts), {
      ...contextOf(record, parts, signal),
      repository: converted,
      onProgress: ({ percent, commitCount }) =>
        progress.set(record.id, { percent: Math.floor(percent), ...(commitCount !== undefined && { commitCount }) }),
    });
  } catch (error) {
    if (!SourceError.is(error) || error.failure !== 'project-needed' || signal.aborted) throw error;
    // The kind was given, so nobody had looked yet whether there are several.
    const found = await conversion.detectSource(sourceOf(record, parts), contextOf(record, parts, signal));
    if (found.status !== 'found-multiple') throw error;
    const { choices } = found;
    await store.change(record.id, (now) => ({ ...now, state: { status: 'detection_found_multiple', choices } }));
    return;
  }
  const options = { scratch, signal };
  const authors = await conversion.authorsOf(converted, options);
  const files = await conversion.largeFilesOf(converted, parts.config().largeFileBytes, options);
  const largeFiles = { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  await store.change(record.id, (now, transaction) => {
    const authorsCount = store.authors.learn(transaction, record.id, authors);
    store.putLargeFiles(transaction, record.id, files);
    return { ...now, authorsCount, largeFiles, state: { status: 'mapping' } };
  });
};

const rewrite: Step = async (record, { conversion, store, directories, config }, signal) => {
  const { converted, scratch } = directories.import(record.id);
  // What is wished for from here on is for the next round.
  const { wishes } = record;
  const authors = mappingsOf(store.authors.of(record.id));
  const choice = { largeFiles: treatments[record.useLfs], limitBytes: config().largeFileBytes };
  await conversion.rewriteRepository(converted, { authors, ...choice }, { scratch, signal });
  await store.change(record.id, (now) => ({ ...now, fulfilled: wishes, state: { status: 'pushing' } }));
};

const push: Step = async (record, { publish, progress, store, credentials }, signal) => {
  await publish(record, (percent) => progress.set(record.id, { percent: Math.floor(percent) }), signal);
  const moved = await store.change(record.id, (now) => ({
    ...now,
    state: { status: now.wishes > now.fulfilled ? 'mapping' : 'complete' },
  }));
  if (moved?.state.status === 'complete') credentials.forget(record.id);
};

export const steps: Readonly<Record<WorkingStatus, Step>> = {
  detecting: detect,
  importing: fetchSource,
  mapping: rewrite,
  pushing: push,
};

const sourceOf = ({ id, url, vcs, project }: ImportRecord, { credentials }: StepParts) => ({
  url,
  ...(vcs !== undefined && { vcs }),
  ...(project !== undefined && { project }),
  ...credentials.of(id),
});

function contextOf(record: ImportRecord, parts: StepParts, signal: AbortSignal): ConversionContext {
  const { allowLocalFiles, stallSeconds, maxBytes } = parts.config();
  const { scratch } = parts.directories.import(record.id);
  const trusted = { allowDestination: parts.destinations(), authorities: parts.authorities() };
  return { scratch, ...trusted, allowLocalFiles, stallSeconds, maxBytes, signal };
}
