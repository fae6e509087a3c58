import { conflict, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';
import type { Ports } from '../ports.js';
import type { Task } from '../task/task.js';
import type { TaskRecord } from '../task/task-record.js';
import { MonitorStreams } from './monitor-streams.js';
import { closedStdin, noStdin, PipeStdin, type Stdin, TerminalStdin } from './stdin.js';
import { openStdinPipe } from './stdin-pipe.js';
import { takenConnection } from './taken-connection.js';

/** Connects to a task's streams. Rejects `conflict` while another connection is open, `not-found` after the end. */
export async function attachTask(ports: Ports, task: Task): Promise<MonitorStreams> {
  const { record } = task.living;
  if (task.attaching || task.streams !== undefined) throw conflict(`task ${task.id} is attached already`);
  task.attaching = true;
  try {
    const connection = await takenConnection(record.monitor.pid, () => connect(ports, task));
    const streams = new MonitorStreams(connection, await stdinOf(record, connection), () => {
      if (task.streams === streams) task.streams = undefined;
    });
    task.streams = streams;
    return streams;
  } finally {
    task.attaching = false;
  }
}

async function connect(ports: Ports, { id, layout }: Task): Promise<SeqpacketConnection> {
  try {
    return await ports.seqpacket.connect(layout.attach);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT', 'ECONNREFUSED')) throw cause;
    throw notFound(`Container ${id} is not running: its monitor has gone`, { cause });
  }
}

async function stdinOf(record: TaskRecord, connection: SeqpacketConnection): Promise<Stdin> {
  const { stdin, terminal, monitor, stdinPipe } = record;
  if (stdin === 'none') return noStdin;
  const staysOpen = stdin === 'open';
  if (terminal) return new TerminalStdin(connection, staysOpen);
  const fd = stdinPipe === undefined ? undefined : await openStdinPipe(monitor.pid, stdinPipe);
  if (fd === undefined) return closedStdin;
  // Makes the monitor close its end.
  return new PipeStdin(fd, () => {
    if (!staysOpen) connection.end();
  });
}
