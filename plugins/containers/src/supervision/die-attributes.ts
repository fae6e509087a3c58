import { nanosOf } from '@gantry/core/driver';
import type { Run } from '../record.js';

/** What the event `die` says of a run: its exit code and, in whole seconds, its length. */
export const dieAttributes = ({ startedAt, finishedAt, exitCode }: Run): Readonly<Record<string, string>> => ({
  exitCode: String(exitCode),
  execDuration: String((nanosOf(finishedAt) - nanosOf(startedAt)) / 1_000_000_000n),
});
