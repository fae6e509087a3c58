import type { Measurement } from '@gantry/core/driver';
import type { CommitQueue } from './commit-queue.js';

interface Measured {
  readonly name: string;
  readonly size: number;
}

/** The counters of the queue, and the records of each open collection. */
export const measureState = (
  { commits, failures, milliseconds, transactions }: CommitQueue['counts'],
  collections: Iterable<Measured>,
): readonly Measurement[] => [
  counter('state_transactions_total', 'Transactions of the state store that are on the disk', transactions),
  counter('state_transaction_failures_total', 'Transactions of the state store that failed', failures),
  counter('state_commits_total', 'Writes to the disk, which transactions of one moment share', commits),
  counter('state_commit_seconds_total', 'Time that writes to the disk took', milliseconds / 1000),
  {
    name: 'state_records',
    type: 'gauge',
    help: 'Records of the state store, by collection',
    values: [...collections].map(({ name, size }) => ({ labels: { collection: name }, value: size })),
  },
];

const counter = (name: string, help: string, value: number): Measurement => ({
  name,
  type: 'counter',
  help,
  values: [{ value }],
});
