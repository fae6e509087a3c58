import type { TaskExit, TaskRequest, TaskStatus } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { MemoryProcess } from './memory-process.js';
import { MemoryStreams } from './memory-streams.js';
import { Spool, type StreamName } from './spool.js';

/** A task in memory: the first process, its streams and its execs. */
export class MemoryTask {
  readonly id: string;
  readonly first: MemoryProcess;
  readonly spool: Spool | undefined;
  readonly execs = new Map<string, MemoryProcess>();
  streams: MemoryStreams | undefined;
  exit: TaskExit | undefined;
  /** Deleted before it ran: its exit is not published. */
  isSilent = false;
  /** Resolves when the exit has been published. */
  readonly published: Promise<void>;
  settle: () => void = () => undefined;
  #begin: () => void = () => undefined;
  #hasBegun = false;
  #thaw: (() => void) | undefined;
  #thawed: Promise<void> = Promise.resolve();

  constructor(
    readonly request: TaskRequest,
    pid: number,
  ) {
    this.id = request.id;
    this.published = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.spool = request.spool === undefined ? undefined : new Spool(request.spool);
    const begun = new Promise<void>((resolve) => {
      this.#begin = resolve;
    });
    const { process, hostname = '' } = request.spec;
    this.first = new MemoryProcess(
      {
        pid,
        process,
        hostname,
        openStdin: request.openStdin,
        isFirst: true,
        write: (stream, bytes) => this.#write(stream, bytes),
        thawed: () => this.#thawed,
      },
      begun,
    );
  }

  get status(): TaskStatus {
    const { id, exit } = this;
    const { pid } = this.first;
    if (exit !== undefined) return { ...exit, status: 'exited' };
    if (!this.#hasBegun) return { id, status: 'created', pid };
    return { id, status: this.#thaw === undefined ? 'running' : 'paused', pid };
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @throws EngineError `not-found` after the exit. */
  checkAlive(): void {
    if (this.exit !== undefined) throw this.notRunning();
  }

  notRunning(): Error {
    return notFound(`Container ${this.id} is not running`);
  }

  begin(): void {
    this.checkAlive();
    if (this.#hasBegun) throw conflict(`task ${this.id} has been started already`);
    this.#hasBegun = true;
    this.#begin();
  }

  freeze(): void {
    this.checkAlive();
    if (!this.#hasBegun) throw conflict(`Container ${this.id} is not running`);
    if (this.#thaw !== undefined) throw conflict(`Container ${this.id} is already paused`);
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  thaw(): void {
    this.checkAlive();
    if (this.#thaw === undefined) throw conflict(`Container ${this.id} is not paused`);
    this.#thaw();
    this.#thaw = undefined;
  }

  attach(): MemoryStreams {
    this.checkAlive();
    if (this.streams !== undefined) throw conflict(`task ${this.id} is attached already`);
    const { openStdin, stdinOnce } = this.request;
    const streams = new MemoryStreams(this.first, openStdin && !stdinOnce ? 'stays' : 'closes', () => {
      if (this.streams === streams) this.streams = undefined;
    });
    this.streams = streams;
    return streams;
  }

  /** Resolves when the first process has ended and its output is where it belongs. */
  async ended(): Promise<TaskExit> {
    const exitCode = await this.first.ended;
    for (const exec of this.execs.values()) exec.signal(9);
    await this.spool?.settled();
    this.streams?.finish();
    return { id: this.id, exitCode, exitedAt: new Date(), oomKilled: false };
  }

  thawedNow(): Promise<void> {
    return this.#thawed;
  }

  async #write(stream: StreamName, bytes: Uint8Array): Promise<void> {
    await this.spool?.append(stream, bytes);
    await this.streams?.send(stream, bytes);
  }
}
