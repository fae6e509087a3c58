import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord, Run } from '../record.js';
import { ContainerWire } from '../wire/container-wire.js';
import type { LiveFacts } from '../wire/live-facts.js';
import { lookupOf, recordWith } from './configuration-fixture.js';
import { endpoint } from './endpoint.js';

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

export const wireWith = (containers: ContainerLookup = lookupOf()): ContainerWire => new ContainerWire(containers);
