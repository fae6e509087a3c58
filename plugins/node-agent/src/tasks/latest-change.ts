import type { Logger } from '@gantry/core/driver';

/** Runs an action after changes, once at a time: those that come meanwhile are followed by one more run. */
export class LatestChange {
  #isNotified = false;
  #running: Promise<void> | undefined;

  constructor(
    private readonly act: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  notify(): void {
    this.#isNotified = true;
    this.#running ??= this.#run();
  }

  /** Resolves once no run is in progress. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isNotified) {
      this.#isNotified = false;
      try {
        await this.act();
      } catch (err) {
        this.log.error({ event: 'agent.change-failed', err }, 'failed to follow a change of the swarm');
      }
    }
    this.#running = undefined;
  }
}
