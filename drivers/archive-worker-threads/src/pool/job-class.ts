import { availableParallelism } from 'node:os';
import type { JobKind } from './jobs.js';

/**
 * What a job waits for. `lookup` reads a few names, `disk` works through a tree; `input` also waits for a client or a
 * network that sends, `output` for one that reads. Each class has its own limit: slow clients do not delay others, and
 * as input and output are limited separately, a job that reads what another one packs cannot wait for it for ever.
 */
export type JobClass = 'lookup' | 'disk' | 'input' | 'output';

/** Jobs of a class that run at once. */
export const concurrencyLimits: Readonly<Record<JobClass, number>> = {
  lookup: 4,
  disk: Math.max(3, availableParallelism()),
  input: 16,
  output: 16,
};

const classes: Readonly<Record<Exclude<JobKind, 'extract'>, JobClass>> = {
  assemble: 'output',
  pack: 'output',
  'pack-selection': 'output',
  'pack-changes': 'output',
  changes: 'disk',
  list: 'disk',
  resolve: 'lookup',
  stat: 'lookup',
  size: 'disk',
  remove: 'disk',
  copy: 'disk',
};

/** @param isFed whether the job reads a stream, not a file. */
export const classOf = (kind: JobKind, isFed: boolean): JobClass =>
  kind === 'extract' ? (isFed ? 'input' : 'disk') : classes[kind];
