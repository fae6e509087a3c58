import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';

/** How often it is looked whether a monitor has taken a connection, and for how long, in milliseconds. */
const interval = 1;
const patience = 500;

/**
 * A connection is there before its monitor knows of it; what the monitor writes until then does not come. Resolves
 * when the monitor has taken it, or to what there is after a while.
 */
export async function takenConnection(
  monitorPid: number,
  connect: () => Promise<SeqpacketConnection>,
): Promise<SeqpacketConnection> {
  const before = new Set(await sockets(monitorPid));
  const connection = await connect();
  for (const began = performance.now(); performance.now() - began < patience; await delay(interval)) {
    const now = await sockets(monitorPid);
    if (now.length === 0 || now.some((socket) => !before.has(socket))) break;
  }
  return connection;
}

/** As the kernel names them: `socket:[4711]`. None when the process has gone. */
async function sockets(pid: number): Promise<string[]> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:'));
}
