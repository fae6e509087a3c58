import type { RuntimeDriver } from '@gantry/core/contracts';
import { Clock, inject, injectable, Logger, settlesWithin, withDeadline } from '@gantry/core/driver';
import { kindOf, messageOf } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import { ContainerStreams } from './container-streams.js';

/** How long the output of an exited task may take to be read, in milliseconds. */
const drainTimeout = 5000;

/** How long the answer to a wait is held back while no client reads any output, in milliseconds. */
const sessionTimeout = 2000;

/** The streams of all containers that clients are, or were, attached to in their present run. */
@injectable()
export class Attachments {
  readonly #streams = new Map<string, ContainerStreams>();
  /** Streams of runs that have ended, while clients still get their output. */
  readonly #ending = new Map<string, ContainerStreams>();

  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The streams of the present run, or of the next one. */
  of(record: ContainerRecord): ContainerStreams {
    let streams = this.#streams.get(record.id);
    if (streams === undefined) {
      const { OpenStdin = false, StdinOnce = false, Tty = false } = record.config;
      streams = new ContainerStreams({ openStdin: OpenStdin, stdinOnce: OpenStdin && StdinOnce, tty: Tty });
      this.#streams.set(record.id, streams);
    }
    return streams;
  }

  /** The task is created and not started: clients that attached before are connected, so that they miss nothing. */
  async connectWaiting(record: ContainerRecord, runtime: RuntimeDriver): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (streams?.hasClients) await streams.connect(runtime, record.id);
  }

  /** A client has attached: connects to the task if it is running. */
  async connectNow(record: ContainerRecord): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (streams === undefined || !isAlive(record.state)) return;
    try {
      await streams.connect(this.drivers.runtimeOf(record), record.id);
    } catch (error) {
      // It has exited at this moment; its streams end with the exit.
      if (kindOf(error) !== 'not-found') throw error;
    }
  }

  /** The task is started: connects clients that attached after `connectWaiting`. Never rejects. */
  async connectLate(record: ContainerRecord): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (!streams?.hasClients || streams.isConnected) return;
    await this.connectNow(record).catch((error: unknown) => {
      streams.fail(messageOf(error));
    });
  }

  /** Drops the streams of a container without clients. */
  dropIdle(id: string): void {
    const streams = this.#streams.get(id);
    if (streams !== undefined && !streams.hasClients && !streams.isConnected) this.#streams.delete(id);
  }

  /** The run has ended, or did not start. Resolves when its output is read from the runtime. Never rejects. */
  async endRun(id: string): Promise<void> {
    const streams = this.#streams.get(id);
    if (streams === undefined) return;
    this.#streams.delete(id);
    this.#ending.set(id, streams);
    void streams.idle.then(() => {
      if (this.#ending.get(id) === streams) this.#ending.delete(id);
    });
    const error = 'the rest of the output could not be read';
    try {
      await withDeadline({ milliseconds: drainTimeout, error, timer: this.clock }, () => streams.finish());
    } catch (failure) {
      const facts = { event: 'container.output-lost', container: id, error: failure };
      this.log.warn(facts, 'attached clients may miss the end of the output');
    }
  }

  /**
   * For a run whose exit was just recorded: resolves when its clients have all output, or have not taken a batch of it
   * (256 KiB) for a while, as a stopped terminal. Those still get the rest when they read again.
   */
  async sessionsEnded(id: string): Promise<void> {
    const streams = this.#ending.get(id) ?? this.#streams.get(id);
    if (!streams?.hasClients) return;
    for (let before = -1; before !== streams.takes; ) {
      before = streams.takes;
      if (await settlesWithin(streams.idle, sessionTimeout, { timer: this.clock })) return;
    }
  }

  /** The engine stops. */
  close(): void {
    for (const streams of this.#streams.values()) streams.fail('the engine is stopping');
    this.#streams.clear();
  }
}
