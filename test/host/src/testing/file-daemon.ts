import { type Daemon, type DaemonOptions, type Scope, startDaemon } from '@gantry/test-nodes';
import test from 'ava';

/**
 * One daemon for the tests of a file, which start it no more and do not disturb each other. Called outside of any test.
 * @returns the daemon, for tests that have begun.
 */
export const fileDaemon = (options: DaemonOptions = {}): (() => Daemon) =>
  fileResource((scope) => startDaemon(scope, options));

/** As `fileDaemon`, for what else the tests of a file share. */
export function fileResource<T>(start: (scope: Scope) => Promise<T>): () => T {
  const releases: (() => Promise<void> | void)[] = [];
  let started: { readonly resource: T } | undefined;
  let passed = true;
  test.before('the daemon of the file starts', async (t) => {
    const scope = {
      teardown: (release: () => Promise<void> | void) => void releases.unshift(release),
      log: (...lines: readonly string[]) => t.log(...lines),
      get passed() {
        return passed;
      },
    };
    started = { resource: await start(scope) };
  });
  test.afterEach.always('whether all tests passed', (t) => {
    passed &&= t.passed;
  });
  test.after.always('the daemon of the file is removed', async () => {
    for (const release of releases) await release();
  });
  return () => {
    if (started === undefined) throw new Error('the daemon of the file starts before its tests');
    return started.resource;
  };
}
