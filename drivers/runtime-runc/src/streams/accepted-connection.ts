import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';

/** How often, and for how long, to check whether a monitor has accepted a connection, in milliseconds. */
const interval = 1;
const timeout = 500;

/**
 * Connects, and waits until the monitor has accepted the connection or the timeout has passed: what a monitor writes
 * before it accepts is lost.
 */
export async function acceptedConnection(
  monitorPid: number,
  connect: () => Promise<SeqpacketConnection>,
): Promise<SeqpacketConnection> {
  const before = new Set(await sockets(monitorPid));
  const connection = await connect();
  for (const began = performance.now(); performance.now() - began < timeout; await delay(interval)) {
    const now = await sockets(monitorPid);
    if (now.length === 0 || now.some((socket) => !before.has(socket))) break;
  }
  return connection;
}

/** As the kernel names them: `socket:[4711]`. None when the process has exited. */
async function sockets(pid: number): Promise<string[]> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:'));
}
