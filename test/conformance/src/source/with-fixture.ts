import { join } from 'node:path';
import { type SourceContext, SourceError, type SourceFailure, type SourceRepository } from '@gantry/core/contracts';
import { freshDirectory, removeDirectory } from '../directories.js';
import type { Assertions } from '../test-interface.js';
import type { SourceFixture } from './source-fixture.js';
import type { CreateSource } from './source-suite-options.js';

/** What an import check works with. */
interface ImportSetting {
  readonly directory: string;
  readonly fixture: SourceFixture;
  readonly source: SourceRepository;
  readonly context: SourceContext;
  readonly repository: string;
}

export async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await freshDirectory();
  try {
    await run(directory);
  } finally {
    removeDirectory(directory);
  }
}

/** Runs a check with a source of its own. */
export function withFixture(createSource: CreateSource, run: (setting: ImportSetting) => Promise<void>): Promise<void> {
  return withDirectory(async (directory) => {
    const fixture = await createSource(directory);
    try {
      const { url, project } = fixture;
      const source = { url, ...(project !== undefined && { project }) };
      const context = { scratch: join(directory, 'scratch'), allowDestination: () => true, allowLocalFiles: true };
      await run({ directory, fixture, source, context, repository: join(directory, 'converted.git') });
    } finally {
      await fixture.close?.();
    }
  });
}

/** Checks that a call rejects with the reason of its signal. */
export async function rejectsWith(t: Assertions, call: Promise<unknown>, reason: Error): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (rejected: unknown) => rejected,
  );
  t.is(error, reason);
}

/** Checks that a call rejects SourceError with a failure. */
export async function rejectsAs(t: Assertions, call: Promise<unknown>, failure: SourceFailure): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  t.true(SourceError.is(error), String(error));
  if (SourceError.is(error)) t.is(error.failure, failure, error.message);
}
