import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { type DatagramSender, Datagrams } from '@gantry/lib-linux/datagrams';
import type { AuditConfig } from './config.js';
import { type AuditRecord, journalFields } from './journal-fields.js';

/** The journal of the host, beside the file: its records have fields to search by. */
@injectable()
export class AuditJournal {
  #sender: DatagramSender | undefined;
  /** Whether the last record was sent: a journal that is gone is reported once. */
  #isSending = true;

  constructor(
    @inject(Config) private readonly config: AuditConfig,
    @inject(Datagrams.token) private readonly datagrams: Datagrams,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Throws `unavailable` when there is no journal, and one is configured. */
  open(): void {
    if (this.config.journal === undefined) return;
    try {
      this.#sender = this.datagrams.connect(this.config.journal);
    } catch (cause) {
      throw unavailable(`the journal ${this.config.journal} cannot be written: ${messageOf(cause)}`, { cause });
    }
    this.lifetime.add(() => this.#sender?.close());
  }

  /** Sends a record that is in the file already. A failure is logged: the file is what counts. */
  async send(record: AuditRecord): Promise<void> {
    if (this.#sender === undefined) return;
    try {
      await this.#sendAgain(journalFields(record));
      this.#isSending = true;
    } catch (error) {
      if (this.#isSending) {
        const facts = { event: 'audit.journal-failed', journal: this.config.journal, error };
        this.log.error(facts, 'failed to send audit records to the journal; they are in the file');
      }
      this.#isSending = false;
    }
  }

  /** A journal that was restarted has another socket of the same name. */
  async #sendAgain(bytes: Buffer): Promise<void> {
    const signal = AbortSignal.timeout(5000);
    try {
      await this.#sender?.send(bytes, { signal });
    } catch {
      const sender = this.datagrams.connect(this.config.journal ?? '');
      this.#sender?.close();
      this.#sender = sender;
      await sender.send(bytes, { signal });
    }
  }
}
