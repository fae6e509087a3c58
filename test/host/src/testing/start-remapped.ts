import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Daemon, type DaemonOptions, type Scope, startDaemon } from '@gantry/test-nodes';

/** The id on the host of root of remapped containers. */
export const firstId = 300_000;

/** A daemon that maps the ids of containers to those from `firstId` on. */
export const startRemapped = async (t: Scope, options: DaemonOptions = {}): Promise<Daemon> =>
  startDaemon(t, { ...options, usernsRemap: 'games:users', within: await withSubordinateIds(t) });

/** A mount namespace with subordinate ids of its own, so that the host needs none. @returns how to enter it. */
async function withSubordinateIds(t: Scope): Promise<readonly string[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gantry-host-subids-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'subids');
  writeFileSync(file, `games:${firstId}:65536\nusers:${firstId}:65536\n`);
  const script =
    'touch /etc/subuid /etc/subgid; mount --bind "$0" /etc/subuid; mount --bind "$0" /etc/subgid; echo ready; exec cat';
  const holder = spawn('unshare', ['--mount', '--propagation', 'slave', 'sh', '-c', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    const exited = once(holder, 'exit');
    holder.stdin.end();
    await exited;
  });
  await once(holder.stdout, 'data');
  return ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`];
}
