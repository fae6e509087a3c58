import type { Duplex } from 'node:stream';
import { ContainerProcesses } from '@gantry/containers/service';
import { TaskStartError } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { writeFrame } from '@gantry/core/streams';
import { connect } from './connect.js';
import { ExecEvents } from './exec-events.js';
import { ExecProcesses, type StartOptions } from './exec-processes.js';
import type { Exec } from './exec-record.js';
import { ExecStore } from './exec-store.js';

/** A client's connection, which becomes the streams of the process. */
interface ExecConnection {
  readonly socket: Duplex;
  /** Without frames. */
  readonly raw: boolean;
  readonly signal: AbortSignal;
}

/** Opens the connection of the client, once its instance is claimed. */
export type OpenConnection = (options: { readonly isTerminal: boolean }) => Promise<ExecConnection>;

@injectable()
export class StartExec {
  constructor(
    @inject(ContainerProcesses.token) private readonly containers: Pick<ContainerProcesses, 'requireRunning'>,
    @inject(ExecStore) private readonly store: ExecStore,
    @inject(ExecProcesses) private readonly processes: ExecProcesses,
    @inject(ExecEvents) private readonly events: ExecEvents,
  ) {}

  /**
   * Starts an instance, which only one caller can: attached to the connection that is opened for it, detached without.
   * Attached, it resolves when the output has ended or the client has left; a failed start is written to the connection.
   * Where the connection cannot be opened the instance can be started again.
   * Rejects `not-found`, `conflict` when it has run already or its container does not run.
   */
  async start(id: string, open: OpenConnection | undefined, options: StartOptions): Promise<void> {
    const exec = this.store.claim(id);
    const connection = await this.#connectionFor(exec, open);
    if (connection === undefined) await this.processes.start(exec, { ...options, detached: true });
    else await this.#attach(exec, connection, options);
  }

  async #connectionFor(exec: Exec, open: OpenConnection | undefined): Promise<ExecConnection | undefined> {
    try {
      this.containers.requireRunning(exec.containerId);
      return await open?.({ isTerminal: exec.config.tty });
    } catch (error) {
      this.store.move(exec, { status: 'created' });
      throw error;
    }
  }

  async #attach(exec: Exec, connection: ExecConnection, options: StartOptions): Promise<void> {
    try {
      const process = await this.processes.start(exec, { ...options, detached: false });
      if (await connect(exec, process, connection.socket, connection)) this.events.detached(exec);
    } catch (error) {
      writeError(connection, error);
    }
  }
}

/** The response has started with 200: the error goes where the output would be. */
function writeError({ raw, socket }: ExecConnection, error: unknown): void {
  const words = Buffer.from(`${messageOf(error)}${error instanceof TaskStartError ? '\r\n' : '\n'}`);
  if (raw) socket.write(words);
  else writeFrame(socket, 'stdout', words);
}
