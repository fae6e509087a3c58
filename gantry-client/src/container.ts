import type { Writable } from 'node:stream';
import { ApiError } from './api-error.js';
import type { Caller } from './caller.js';
import { ContainerFiles } from './container-files.js';
import { Exec, type ExecOptions } from './exec.js';
import { jsonLines } from './json-lines.js';
import { isFramed, Output } from './output.js';
import type { ContainerDetails, ContainerStats, ExitStatus } from './types.js';

export interface LogOptions {
  readonly follow?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  /** Seconds since 1970, or a time such as 2026-01-31T12:00:00Z. */
  readonly since?: string | number;
  readonly until?: string | number;
  readonly timestamps?: boolean;
  /** Lines from the end. */
  readonly tail?: number | 'all';
  readonly signal?: AbortSignal;
}

export interface Attachment {
  readonly stdin: Writable;
  readonly output: Output;
  /** Detaches; the container continues. */
  close(): void;
}

export interface AttachOptions {
  /** What was written before, too. */
  readonly logs?: boolean;
  readonly stdin?: boolean;
  readonly detachKeys?: string;
  readonly signal?: AbortSignal;
}

export type WaitCondition = 'not-running' | 'next-exit' | 'removed';

/** A container of the engine. `await using` removes it, even while it runs, at the end of the block. */
export class Container implements AsyncDisposable {
  readonly #caller: Caller;

  constructor(
    caller: Caller,
    /** The id, or the name it was asked for by. */
    readonly id: string,
  ) {
    this.#caller = caller;
  }

  /** Files in it. */
  get files(): ContainerFiles {
    return new ContainerFiles(this.#caller, this.id);
  }

  inspect({ size }: { readonly size?: boolean } = {}): Promise<ContainerDetails> {
    return this.#json<ContainerDetails>('GET /containers/{id}/json', { size });
  }

  /** Starts it; one that runs continues. */
  async start({ detachKeys }: { readonly detachKeys?: string } = {}): Promise<void> {
    await this.#post('POST /containers/{id}/start', { detachKeys });
  }

  /** Sends the stop signal, and SIGKILL after some seconds. */
  async stop({ seconds, signal }: { readonly seconds?: number; readonly signal?: string } = {}): Promise<void> {
    await this.#post('POST /containers/{id}/stop', { t: seconds, signal });
  }

  async restart({ seconds, signal }: { readonly seconds?: number; readonly signal?: string } = {}): Promise<void> {
    await this.#post('POST /containers/{id}/restart', { t: seconds, signal });
  }

  /** @param signal a name or a number; default SIGKILL. */
  async kill(signal?: string): Promise<void> {
    await this.#post('POST /containers/{id}/kill', { signal });
  }

  /** Waits for its exit. Resolves once the engine waits, with a promise of the exit status. */
  async waiting(condition: WaitCondition, signal?: AbortSignal): Promise<{ readonly exit: Promise<ExitStatus> }> {
    const route = 'POST /containers/{id}/wait';
    const { body } = await this.#caller.call(route, { path: { id: this.id }, query: { condition }, signal });
    const exit = firstOf(jsonLines<ExitStatus>(body, route));
    exit.catch(() => undefined); // the caller awaits it later
    return { exit };
  }

  /** Waits until it does not run. @returns the exit code. */
  async wait({ signal }: { readonly signal?: AbortSignal } = {}): Promise<number> {
    const { exit } = await this.waiting('not-running', signal);
    return (await exit).StatusCode;
  }

  async logs({ signal, stdout = true, stderr = true, ...query }: LogOptions = {}): Promise<Output> {
    const options = { path: { id: this.id }, query: { ...query, stdout, stderr }, signal };
    const { headers, body } = await this.#caller.call('GET /containers/{id}/logs', options);
    return new Output(body, { isFramed: isFramed(headers['content-type']) });
  }

  async attach({ signal, stdin = false, ...query }: AttachOptions = {}): Promise<Attachment> {
    const { headers, socket } = await this.#caller.upgrade('POST /containers/{id}/attach', {
      path: { id: this.id },
      query: { ...query, stdin, stream: true, stdout: true, stderr: true },
      signal,
    });
    return {
      stdin: socket,
      output: new Output(socket, { isFramed: isFramed(headers['content-type']) }),
      close: () => void socket.destroy(),
    };
  }

  /** Starts a further process in it. */
  exec(command: readonly string[], options: ExecOptions = {}): Promise<Exec> {
    return Exec.start(this.#caller, this.id, command, options);
  }

  /** Of its terminal. */
  async resize({ columns, rows }: { readonly columns: number; readonly rows: number }): Promise<void> {
    await this.#post('POST /containers/{id}/resize', { w: columns, h: rows });
  }

  /** About one each second, until the loop ends or the container is removed. */
  async *stats({ signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<ContainerStats, void> {
    const route = 'GET /containers/{id}/stats';
    const { body } = await this.#caller.call(route, { path: { id: this.id }, query: { stream: true }, signal });
    yield* jsonLines<ContainerStats>(body, route);
  }

  async remove({ force, volumes }: { readonly force?: boolean; readonly volumes?: boolean } = {}): Promise<void> {
    const query = { force, v: volumes };
    const { body } = await this.#caller.call('DELETE /containers/{id}', { path: { id: this.id }, query });
    body.resume();
  }

  /** Removes it with its anonymous volumes, also while it runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.remove({ force: true, volumes: true });
    } catch (error) {
      if (!ApiError.is(error, 404)) throw error;
    }
  }

  async #post(route: string, query: Record<string, string | number | undefined>): Promise<void> {
    const { body } = await this.#caller.call(route, { path: { id: this.id }, query });
    body.resume();
  }

  async #json<T>(route: string, query: Record<string, string | boolean | undefined>): Promise<T> {
    return this.#caller.json<T>(route, { path: { id: this.id }, query });
  }
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item;
  throw new Error('the engine ended the answer without a value');
}
