import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import type { LogOptions } from '../options/index.js';

/** How a driver delivers lines to a server. */
export interface Delivery<Settings> {
  /** Names the driver's files in a container's directory; must never change. */
  readonly id: string;
  /** @throws EngineError `invalid-argument` naming the option and the value. */
  validate(options: LogOptions): void;
  /** Parses validated options. @throws EngineError `invalid-argument` when the host has changed since. */
  settingsOf(options: LogOptions): Settings;
  /** Loads the sink's modules with the first container, so that an unused driver costs nothing. */
  load(): Promise<(container: LogContainer, settings: Settings) => Promise<LogSink>>;
}

/** A driver that sends lines to a server and cannot read them back. */
export class DeliveringLog<Settings> implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  constructor(private readonly delivery: Delivery<Settings>) {}

  validate(options: LogOptions): void {
    this.delivery.validate(options);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const settings = this.delivery.settingsOf(container.options);
    const openSink = await this.delivery.load();
    return openSink(container, settings);
  }

  path(): string {
    return '';
  }

  /** Lines that were sent stay on the server. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('../sink/progress-file.js');
    await new ProgressFile(container, this.delivery.id).remove();
  }
}
