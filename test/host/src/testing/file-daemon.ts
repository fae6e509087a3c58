import test from 'ava';
import { type Daemon, type DaemonOptions, startDaemon } from './daemon.js';

/**
 * One daemon for the tests of a file, which start it no more and do not disturb each other. Called outside of any test.
 * @returns the daemon, for tests that have begun.
 */
export function fileDaemon(options: DaemonOptions = {}): () => Daemon {
  const releases: (() => Promise<void> | void)[] = [];
  let daemon: Daemon | undefined;
  let passed = true;
  test.before('the daemon of the file starts', async (t) => {
    const scope = {
      teardown: (release: () => Promise<void> | void) => void releases.unshift(release),
      log: (...lines: readonly string[]) => t.log(...lines),
      get passed() {
        return passed;
      },
    };
    daemon = await startDaemon(scope, options);
  });
  test.afterEach.always('whether all tests passed', (t) => {
    passed &&= t.passed;
  });
  test.after.always('the daemon of the file is removed', async () => {
    for (const release of releases) await release();
  });
  return () => {
    if (daemon === undefined) throw new Error('the daemon of the file starts before its tests');
    return daemon;
  };
}
