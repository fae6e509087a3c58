import type { LogContainer, LogDriver, LogPage, LogQuery, LogSink } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { Launcher } from '@gantry/lib-linux/launcher';
import { attributeOptions, checkOptions } from '@gantry/lib-log/options';
import { Journal } from './journal.js';

/** Writes to the journal of systemd and reads from it. What it needs for either is loaded on first use. */
@injectable()
export class JournaldLog implements LogDriver {
  readonly capabilities = { read: true, worker: true, discards: false };

  constructor(
    @inject(Journal) private readonly journal: Journal,
    @inject(Datagrams.token) private readonly datagrams: Datagrams,
    @inject(Launcher.token) private readonly launcher: Launcher,
  ) {}

  validate(options: Readonly<Record<string, string>>): void {
    checkOptions(options, 'journald', attributeOptions);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const { openJournalSink } = await import('./write/open-journal-sink.js');
    return openJournalSink(container, this.journal.socket, this.datagrams);
  }

  async *read(container: LogContainer, query: LogQuery): AsyncGenerator<LogPage> {
    const { JournalProgram } = await import('./read/journal-program.js');
    const { readJournal } = await import('./read/read-journal.js');
    yield* readJournal(container, query, new JournalProgram(this.journal, this.launcher));
  }

  path(): string {
    return '';
  }

  /** Entries in the journal are subject to the host's retention. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('@gantry/lib-log');
    await new ProgressFile(container, 'journald').remove();
  }
}
