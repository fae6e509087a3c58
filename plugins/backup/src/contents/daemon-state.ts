import { rm } from 'node:fs/promises';
import type { OfflineContext } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import type { StateSource } from './state-source.js';

/** The command by which a daemon copies its records. */
export const stateCommand = 'backup-state';

/** What a daemon answers the command with, in one line of JSON. */
export interface DaemonState {
  /** Relative to the data root. */
  readonly path: string;
  readonly elsewhere: readonly string[];
  /** Where the copy is, when one was asked for. */
  readonly directory?: string;
}

/** The records of an engine that runs: the daemon copies them. */
export async function daemonState(ask: OfflineContext['ask']): Promise<StateSource> {
  const { path, elsewhere } = await answerOf(ask, []);
  return {
    path,
    elsewhere,
    async copy() {
      const { directory } = await answerOf(ask, ['--copy']);
      if (directory === undefined) throw internal('the daemon did not say where the copy of its state is');
      return { directory, release: () => rm(directory, { recursive: true, force: true }) };
    },
  };
}

async function answerOf(ask: OfflineContext['ask'], args: readonly string[]): Promise<DaemonState> {
  const lines: string[] = [];
  for await (const line of ask(stateCommand, args)) lines.push(line);
  if (lines.length === 0) throw internal(`the daemon did not answer "${stateCommand}"`);
  return JSON.parse(lines.join('')) as DaemonState;
}
