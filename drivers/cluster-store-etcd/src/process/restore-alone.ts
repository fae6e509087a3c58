import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@gantry/core/errors';
import { type Launcher, programPath } from '@gantry/lib-linux/launcher';
import { peerUrl } from './peer-address.js';

interface RestoreOptions {
  /** etcdctl, by its path. */
  readonly program: string;
  readonly memberName: string;
  /** etcd's data, which no etcd has open. */
  readonly data: string;
  readonly restored: string;
}

/** Rejects `unavailable` when it is not installed. */
export async function restoringProgram(): Promise<string> {
  try {
    return await programPath('etcdctl');
  } catch (cause) {
    throw unavailable(
      'this manager is a learner of the store, which only "etcdctl" can make the only member: install it, on Debian the ' +
        'package etcd-client ("npm run swarm" does)',
      { cause },
    );
  }
}

/** Makes data of those of a learner in which it is the only member, with every record. etcd itself does that for voters only. */
export async function restoreAlone(
  launcher: Launcher,
  { data, memberName, program, restored }: RestoreOptions,
): Promise<void> {
  await rm(restored, { recursive: true, force: true });
  const url = peerUrl(memberName);
  const args = [
    ...['snapshot', 'restore', join(data, 'member/snap/db'), '--skip-hash-check', '--data-dir', restored],
    ...['--name', memberName, '--initial-cluster', `${memberName}=${url}`, '--initial-advertise-peer-urls', url],
  ];
  const { code, stderr } = await launcher.run(program, args, { env: { ETCDCTL_API: '3' } });
  if (code !== 0) throw unavailable(`the learner's records cannot be restored: ${stderr.toString().trim()}`);
}
