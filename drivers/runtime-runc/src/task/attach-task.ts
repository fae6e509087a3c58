import { inject, injectable } from '@gantry/core/driver';
import { conflict, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { Seqpacket, type SeqpacketConnection } from '@gantry/lib-linux/seqpacket';
import { acceptedConnection } from '../streams/accepted-connection.js';
import { MonitorStreams } from '../streams/monitor-streams.js';
import { closedStdin, noStdin, PipeStdin, type Stdin, TerminalStdin } from '../streams/stdin.js';
import { openStdinPipe } from '../streams/stdin-pipe.js';
import type { Task } from './task.js';
import type { TaskRecord } from './task-record.js';

/** Connects to the streams of tasks. */
@injectable()
export class AttachTask {
  constructor(@inject(Seqpacket.token) private readonly seqpacket: Seqpacket) {}

  /** Rejects `conflict` while another connection is open, `not-found` after the exit. */
  async attach(task: Task): Promise<MonitorStreams> {
    const { record } = task.living;
    if (task.attachment.status !== 'none') throw conflict(`task ${task.id} is attached already`);
    task.attachment = { status: 'connecting' };
    try {
      const connection = await acceptedConnection(record.monitor.pid, () => this.#connect(task));
      const streams = new MonitorStreams(connection, await stdinOf(record, connection), () => {
        if (task.attachment.status === 'open') task.attachment = { status: 'none' };
      });
      task.attachment = { status: 'open', streams };
      return streams;
    } catch (error) {
      task.attachment = { status: 'none' };
      throw error;
    }
  }

  async #connect({ id, layout }: Task): Promise<SeqpacketConnection> {
    try {
      return await this.seqpacket.connect(layout.attach);
    } catch (cause) {
      if (!isErrno(cause, 'ENOENT', 'ECONNREFUSED')) throw cause;
      throw notFound(`Container ${id} is not running: its monitor has exited`, { cause });
    }
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
