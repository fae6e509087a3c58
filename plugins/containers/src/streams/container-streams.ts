import type { RuntimeDriver, TaskStreams } from '@gantry/core/contracts';
import { Mutex, untilAborted } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { type BoundedQueue, type Chunk, FanOut } from '@gantry/core/streams';
import { deferred } from '../deferred.js';

/** Bytes of output that wait for one client. */
const clientLimit = 8 * 2 ** 20;
/** How long output is held back for a client that does not read, in milliseconds, before the client misses some. */
const stallTimeout = 1000;

interface StreamsOptions {
  readonly openStdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
}

interface JoinOptions {
  /** Bytes that may wait for the client. */
  readonly limit?: number;
  readonly isListening?: boolean;
}

/** New output of a run. */
export interface LiveChunk extends Chunk {
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
}

/** One reader of a run's output. */
export interface Client {
  readonly output: BoundedQueue<LiveChunk>;
  /** Twice: nothing happens. */
  leave(): void;
}

/**
 * The streams of one run: one connection to the task, and any number of clients. Clients may come before the task is
 * there; their input waits for it.
 */
export class ContainerStreams {
  readonly options: StreamsOptions;
  readonly #output = new FanOut<LiveChunk>({ stallTimeout });
  readonly #input = new Mutex();
  readonly #ended = new AbortController();
  readonly #idle = deferred();
  #task: Promise<TaskStreams> | undefined;
  /** Of the clients that are attached. */
  readonly #queues = new Set<BoundedQueue<LiveChunk>>();
  #takes = 0;
  #inputEnded = false;
  #isOver = false;
  #draining: Promise<void> = Promise.resolve();
  #onTask: ((task: TaskStreams) => void) | undefined;
  #firstTask: Promise<TaskStreams>;

  constructor(options: StreamsOptions) {
    this.options = options;
    this.#firstTask = new Promise((resolve) => {
      this.#onTask = resolve;
    });
  }

  get hasClients(): boolean {
    return this.#queues.size > 0;
  }

  /** Counts what clients have taken of their output, to distinguish slow clients from stalled ones. */
  get takes(): number {
    return [...this.#queues].reduce((sum, { takes }) => sum + takes, this.#takes);
  }

  get isConnected(): boolean {
    return this.#task !== undefined;
  }

  /** Aborts when the run is over and all its output is handed out. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Connects to the task, once. Rejects as `RuntimeDriver.attach`. */
  async connect(runtime: RuntimeDriver, id: string): Promise<void> {
    if (this.#task !== undefined) {
      await this.#task;
      return;
    }
    this.#task = runtime.io.attach(id);
    try {
      const task = await this.#task;
      this.#onTask?.(task);
      this.#draining = this.#drain(task);
    } catch (error) {
      this.#task = undefined;
      throw error;
    }
  }

  /** A client joins. When it listens, its queue gets all output from now on. */
  join({ limit = clientLimit, isListening = true }: JoinOptions = {}): Client {
    const output = this.#output.subscribe({ limit, sizeOf: ({ data }) => data.length });
    if (!isListening) output.cancel();
    this.#queues.add(output);
    return {
      output,
      leave: () => {
        if (!this.#queues.delete(output)) return;
        this.#takes += output.takes;
        output.cancel();
        if (this.hasClients) return;
        if (this.#ended.signal.aborted) this.#idle.resolve();
        else void this.#disconnect();
      },
    };
  }

  /** Input of any client, in the order of the calls. Resolves when the process's pipe has it. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#input.run(async () => {
      const task = await this.#taskOrEnd();
      await task?.writeStdin(bytes);
    });
  }

  /** A client's input has ended; for the first of a `stdinOnce` container it is the process's end of input. */
  async endInput(): Promise<void> {
    if (!this.options.stdinOnce || this.options.tty || this.#inputEnded) return;
    this.#inputEnded = true;
    await this.#input.run(async () => {
      const task = await this.#taskOrEnd();
      await task?.endStdin();
    });
  }

  /** Resolves when the run has ended and no client is left. */
  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  /**
   * The exit is recorded, or the start has failed. Clients get the rest of the output, then its end. Resolves when all
   * output is read from the task, which does not depend on the clients.
   */
  async finish(): Promise<void> {
    this.#isOver = true;
    if (this.#task === undefined) this.#end();
    await this.#draining;
    if (!this.#ended.signal.aborted) this.#end();
  }

  /** The engine stops: clients hear why. */
  fail(reason: string): void {
    this.#output.fail(unavailable(reason));
    this.#ended.abort();
  }

  /** The task as soon as it is there; undefined when the run ends before. */
  #taskOrEnd(): Promise<TaskStreams | undefined> {
    if (this.#task !== undefined) return this.#task;
    return Promise.race([this.#firstTask, untilAborted(this.#ended.signal).then(() => undefined)]);
  }

  async #drain(task: TaskStreams): Promise<void> {
    try {
      for await (const { stream, bytes } of task.output) {
        this.#output.push({ stream, data: bytes, at: Date.now() });
        // After the end what is left is little, and must be out before the task is deleted.
        if (!this.#isOver) await this.#output.room();
      }
      // Streams close after the exit is recorded, by `finish`: clients inspect the container next.
      if (this.#isOver && (await this.#isConnected(task))) this.#end();
    } catch (cause) {
      if (!(await this.#isConnected(task))) return;
      this.#output.fail(unavailable('the connection to the container was lost', { cause }));
      this.#ended.abort();
    }
  }

  /** It is not when clients have left; another connection may have been attempted since. */
  async #isConnected(task: TaskStreams): Promise<boolean> {
    return (await this.#task?.catch(() => undefined)) === task;
  }

  #end(): void {
    this.#output.end();
    this.#ended.abort();
    if (!this.hasClients) this.#idle.resolve();
  }

  /** Without clients the connection is closed, unless that would end the input of a `stdinOnce` process. */
  async #disconnect(): Promise<void> {
    const { openStdin, stdinOnce } = this.options;
    if (this.#task === undefined || (openStdin && stdinOnce && !this.#inputEnded)) return;
    const task = await this.#task.catch(() => undefined);
    if (this.hasClients || this.#ended.signal.aborted) return;
    this.#task = undefined;
    this.#firstTask = new Promise((resolve) => {
      this.#onTask = resolve;
    });
    task?.close();
  }
}
