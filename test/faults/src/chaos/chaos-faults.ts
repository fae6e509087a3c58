import { cut, partitionKinds } from '@gantry/test-nodes';
import { fullDisks, slowDisks } from './disk-faults.js';
import { exhaustQuota } from './exhaust-quota.js';
import type { Fault } from './fault.js';
import { kills } from './kills.js';

const partitions = Object.fromEntries(
  Object.entries(partitionKinds).map(([name, cutsOf]): [string, Fault] => [
    `partition: ${name}`,
    ({ roles }) => cut(cutsOf(roles)),
  ]),
);

/** Faults by what they are of: two of one group would undo each other. */
export const faultGroups: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  kill: kills,
  partition: partitions,
  slow: slowDisks,
  full: fullDisks,
  quota: { 'exhausted quota': exhaustQuota },
};

/** Two managers lost with their disks: not a fault beside others, for what may be lost then is known only without them. */
export const lostQuorum = 'lost quorum';

export const faultNames: readonly string[] = [...Object.values(faultGroups).flatMap(Object.keys), lostQuorum];
