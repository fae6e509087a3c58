import { lookupOf, recordWith } from '../config/test-bench.js';
import type { ContainerLookup, LiveFacts } from '../interfaces.js';
import type { ContainerRecord, Run } from '../record.js';
import { endpoint } from '../testing/endpoint.js';
import { EngineContainerWire } from './container-wire.js';

/** What the tests of this folder share. */

export { endpoint, lookupOf, recordWith };

export const live = (changes: Partial<LiveFacts> = {}): LiveFacts => ({
  endpoints: [],
  execIds: [],
  logPath: '/root/containers/a/a-json.log',
  directory: `/root/containers/${'a'.repeat(64)}`,
  ...changes,
});

export const run = (changes: Partial<Run> = {}): Run => ({
  startedAt: '2024-01-01T00:00:00.000000000Z',
  finishedAt: '2024-01-01T01:00:00.000000000Z',
  exitCode: 3,
  oomKilled: false,
  ...changes,
});

export const running: ContainerRecord['state'] = {
  status: 'running',
  pid: 4711,
  startedAt: '2024-01-01T02:00:00.000000000Z',
};

export const wireWith = (containers: ContainerLookup = lookupOf()): EngineContainerWire =>
  new EngineContainerWire(containers);
