import { type DriverLifecycle, inject, injectable, Logger } from '@gantry/core/plugin';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { ServiceSettings } from './service-settings.js';

/** Notifies the service manager of what the engine is doing. What cannot be sent is logged, and nothing else changes. */
@injectable()
export class ServiceNotifier implements DriverLifecycle {
  #watchdog: NodeJS.Timeout | undefined;

  constructor(
    @inject(ServiceSettings) private readonly settings: ServiceSettings,
    @inject(Datagrams.token) private readonly datagrams: Datagrams,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async ready(): Promise<void> {
    const { watchdog } = this.settings;
    await this.#send('READY=1', 'STATUS=Serving clients');
    if (watchdog === undefined) return;
    // From the event loop: one that is blocked sends nothing. Twice as often as asked for.
    this.#watchdog = setInterval(() => void this.#send('WATCHDOG=1'), watchdog / 2);
    this.#watchdog.unref();
  }

  /** By the time stamp systemd distinguishes a reload from an earlier one. */
  reloadBegins(): void {
    void this.#send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
  }

  reloadEnds(): void {
    void this.#send('READY=1');
  }

  async drain(): Promise<void> {
    await this.#send('STOPPING=1', 'STATUS=Stopping; containers keep running');
  }

  async stop(): Promise<void> {
    clearInterval(this.#watchdog);
  }

  async #send(...lines: readonly string[]): Promise<void> {
    const { socket } = this.settings;
    try {
      const sender = this.datagrams.connect(socket);
      try {
        await sender.send(Buffer.from(lines.join('\n')));
      } finally {
        sender.close();
      }
    } catch (err) {
      this.log.warn(
        { event: 'service-manager.unreachable', socket, lines, err },
        'failed to notify the service manager',
      );
    }
  }
}
