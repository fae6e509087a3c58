import { peerUrl } from './peer-address.js';

export interface MemberConfiguration {
  readonly memberName: string;
  /** Names of the members with which the store was made or joined, this one included. */
  readonly members: readonly string[];
  /** The member joins a store that is there already. */
  readonly isJoining: boolean;
  /** etcd's data; survives a reboot. */
  readonly dataDirectory: string;
  /** Bytes of the file from which on the driver creates no record. */
  readonly quotaBytes: number;
  /** Milliseconds without a leader before another one is elected; a leader is heard of ten times in it. */
  readonly electionTimeout: number;
}

/** Where etcd accepts its clients, in its working directory. */
export const clientSocket = 'client:0';

/**
 * Transactions that etcd keeps in memory after a snapshot, and those after which it makes the next one. Of tasks they are
 * large, several hundred KiB each, and by default there are 5,000 and 100,000. A member that is further behind is sent a
 * snapshot.
 */
const keptEntries = 100;

/**
 * How much larger than the quota etcd lets the file grow. It is late: it counts what was written only when it is on the disk.
 * Without a reserve a file that is larger than etcd's quota takes no epoch of a leader, and no removal.
 */
const reserve = (quotaBytes: number): number => Math.max(16 * 1024 ** 2, Math.floor(quotaBytes / 8));

/**
 * The configuration file of etcd 3.4 to 3.6, which ignores the names that only other versions have; 3.4 has no flag for the
 * entries it keeps. Addresses are `unix://name:port`, and the socket is the file `name:port` in the working directory.
 */
export function etcdConfiguration(member: MemberConfiguration): Readonly<Record<string, unknown>> {
  const client = `unix://${clientSocket}`;
  const peer = peerUrl(member.memberName);
  return {
    name: member.memberName,
    'data-dir': member.dataDirectory,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': member.members.map((name) => `${name}=${peerUrl(name)}`).join(','),
    'initial-cluster-state': member.isJoining ? 'existing' : 'new',
    'heartbeat-interval': member.electionTimeout / 10,
    'election-timeout': member.electionTimeout,
    'pre-vote': true,
    'max-txn-ops': 4096,
    'max-request-bytes': 10 * 1024 * 1024,
    'quota-backend-bytes': member.quotaBytes + reserve(member.quotaBytes),
    'snapshot-count': keptEntries,
    SnapshotCatchUpEntries: keptEntries, // 3.4
    'experimental-snapshot-catch-up-entries': keptEntries, // 3.5
    'snapshot-catchup-entries': keptEntries, // 3.6
    logger: 'zap',
    'log-level': 'error',
    'log-outputs': ['stderr'],
  };
}
