import type { Duplex, Writable } from 'node:stream';
import type { Caller } from './caller.js';
import { type CollectedOutput, isFramed, Output } from './output.js';
import type { ExecDetails } from './types.js';

export interface ExecOptions {
  readonly env?: readonly string[];
  readonly user?: string;
  readonly workingDirectory?: string;
  readonly privileged?: boolean;
  readonly tty?: boolean;
  /** Whether it can be written to. */
  readonly stdin?: boolean;
  readonly signal?: AbortSignal;
}

/** A further process in a container. */
export class Exec {
  private constructor(
    private readonly caller: Caller,
    readonly id: string,
    private readonly socket: Duplex,
    readonly output: Output,
  ) {}

  static async start(
    caller: Caller,
    container: string,
    command: readonly string[],
    options: ExecOptions,
  ): Promise<Exec> {
    const { env, user, workingDirectory, privileged, tty = false, stdin = false, signal } = options;
    const { Id: id } = await caller.json<{ readonly Id: string }>('POST /containers/{id}/exec', {
      path: { id: container },
      body: {
        Cmd: command,
        AttachStdin: stdin,
        AttachStdout: true,
        AttachStderr: true,
        Tty: tty,
        ...(env && { Env: env }),
        ...(user !== undefined && { User: user }),
        ...(workingDirectory !== undefined && { WorkingDir: workingDirectory }),
        ...(privileged !== undefined && { Privileged: privileged }),
      },
    });
    const start = { path: { id }, body: { Detach: false, Tty: tty }, signal };
    const { headers, socket } = await caller.upgrade('POST /exec/{id}/start', start);
    if (!stdin) socket.end();
    return new Exec(caller, id, socket, new Output(socket, { isFramed: isFramed(headers['content-type']) }));
  }

  /** Has an effect with the option `stdin`. */
  get stdin(): Writable {
    return this.socket;
  }

  async resize({ columns, rows }: { readonly columns: number; readonly rows: number }): Promise<void> {
    const options = { path: { id: this.id }, query: { w: columns, h: rows } };
    (await this.caller.call('POST /exec/{id}/resize', options)).body.resume();
  }

  inspect(): Promise<ExecDetails> {
    return this.caller.json<ExecDetails>('GET /exec/{id}/json', { path: { id: this.id } });
  }

  /** Waits for its end. @returns the exit code, and what it wrote. */
  async result(): Promise<CollectedOutput & { readonly exitCode: number }> {
    const output = await this.output.text();
    const { ExitCode: exitCode } = await this.inspect();
    if (exitCode === null) throw new Error(`exec ${this.id}: the output ended, but the process runs`);
    return { ...output, exitCode };
  }
}
