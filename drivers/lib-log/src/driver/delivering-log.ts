import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import type { LogOptions } from '../options/index.js';

/** Where a driver's lines go, and what its options say about it. */
export interface Delivery<Settings> {
  /** Names what the driver keeps in a container's directory; never changes. */
  readonly id: string;
  /** @throws EngineError `invalid-argument` naming the option and the value. */
  validate(options: LogOptions): void;
  /** Of options that were valid once. @throws EngineError `invalid-argument` when the host has changed since. */
  settingsOf(options: LogOptions): Settings;
  /** Loads what a sink needs: with the first container, so that a driver nobody uses costs nothing. */
  load(): Promise<(container: LogContainer, settings: Settings) => Promise<LogSink>>;
}

/** A driver that sends each line to a server and cannot read it back. */
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

  /** What was sent is the server's. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('../sink/progress-file.js');
    await new ProgressFile(container, this.delivery.id).remove();
  }
}
