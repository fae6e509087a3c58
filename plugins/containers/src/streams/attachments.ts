import type { RuntimeDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { kindOf, messageOf } from '@gantry/core/errors';
import type { Clock } from '../clock.js';
import { within } from '../deadline.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import { ContainerStreams } from './container-streams.js';

/** How long what a dead task has written may take to be read, in milliseconds. */
const drainTimeout = 5000;

/** The streams of all containers that clients are, or were, attached to in their present run. */
export class Attachments {
  readonly #streams = new Map<string, ContainerStreams>();

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
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

  /** The task is there and has not run: clients that came before are connected, so that they miss nothing. */
  async connectWaiting(record: ContainerRecord, runtime: RuntimeDriver): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (streams?.hasClients) await streams.connect(runtime, record.id);
  }

  /** A client has joined: connects it when the task runs already. */
  async connectNow(record: ContainerRecord, runtime: RuntimeDriver): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (streams === undefined || !isAlive(record.state)) return;
    try {
      await streams.connect(runtime, record.id);
    } catch (error) {
      // It has ended in this moment; its streams end with the exit.
      if (kindOf(error) !== 'not-found') throw error;
    }
  }

  /** The program runs: clients who came too late for `connectWaiting` are connected. Never rejects. */
  async connectLate(record: ContainerRecord, runtime: RuntimeDriver): Promise<void> {
    const streams = this.#streams.get(record.id);
    if (!streams?.hasClients || streams.isConnected) return;
    await this.connectNow(record, runtime).catch((error: unknown) => {
      streams.fail(messageOf(error));
    });
  }

  /** Forgets the streams of a container nobody waits for. */
  forgetIdle(id: string): void {
    const streams = this.#streams.get(id);
    if (streams !== undefined && !streams.hasClients && !streams.isConnected) this.#streams.delete(id);
  }

  /** The run is over, or did not come to be. Resolves when its output is out of the runtime's hands. */
  async endRun(id: string): Promise<void> {
    const streams = this.#streams.get(id);
    if (streams === undefined) return;
    this.#streams.delete(id);
    try {
      await within(this.clock, drainTimeout, 'the rest of the output could not be read', streams.finish());
    } catch (error) {
      const facts = { event: 'container.output-left', container: id, reason: messageOf(error) };
      this.log.warn(facts, 'clients may miss the end of the output');
    }
  }

  /** The engine stops. */
  close(): void {
    for (const streams of this.#streams.values()) streams.fail('the engine is stopping');
    this.#streams.clear();
  }
}
