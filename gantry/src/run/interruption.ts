import { constants } from 'node:os';
import type { Container } from 'gantry-client';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** A signal came before there was a command that could have it. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly received: NodeJS.Signals) {
    super(`interrupted by ${received}`);
  }
}

/** The signals of this process: the command's as soon as it runs; before that they end what prepares it. */
export class Interruption {
  readonly #controller = new AbortController();
  #container: Container | undefined;
  readonly #receive = (received: NodeJS.Signals): void => {
    // A kill that fails is one of a command that has just exited.
    if (this.#container !== undefined) this.#container.kill(received).catch(() => undefined);
    else this.#controller.abort(new Interrupted(received));
  };

  constructor() {
    for (const each of signals) process.on(each, this.#receive);
  }

  /** Aborts at a signal, until there is a command. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on signals are those of a container's command; one that came meanwhile is sent at once. */
  forwardTo(container: Container): void {
    this.#container = container;
    const reason: unknown = this.signal.reason;
    if (reason instanceof Interrupted) this.#receive(reason.received);
  }

  release(): void {
    for (const each of signals) process.off(each, this.#receive);
  }

  /** The exit code of a process that a signal ended; undefined for other errors. */
  static exitCodeOf(error: unknown): number | undefined {
    return error instanceof Interrupted ? 128 + constants.signals[error.received] : undefined;
  }
}
