import type { Transaction } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { HostedAccounts } from '@gantry/hosted-api/service';
import { Notifications } from '@gantry/notifications/service';
import type { ImportListener } from '../store/import-listener.js';
import type { ImportRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';
import { ProjectFields } from '../wire/project-fields.js';
import { type ImportEvent, toWebhookPayload } from './import-event.js';
import { toActivity } from './to-activity.js';
import { WebhookOutbox } from './webhook-outbox.js';

/** Publishes changes of imports to webhooks and to the inbox. */
@injectable()
export class ImportEvents implements ImportListener {
  constructor(
    @inject(WebhookOutbox) private readonly outbox: WebhookOutbox,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(ProjectFields) private readonly fields: ProjectFields,
    @inject(HostedAccounts.token) private readonly accounts: HostedAccounts,
    @inject(Notifications.token) private readonly notifications: Notifications | undefined,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Stores the deliveries in the transaction of the change. */
  record(transaction: Transaction, record: ImportRecord, status: string): void {
    const event = this.#eventOf(record, status);
    if (event !== undefined) this.outbox.put(transaction, toWebhookPayload(event, this.fields));
  }

  /** Sends the deliveries, and notifies the user. */
  publish(record: ImportRecord, status: string): void {
    this.outbox.flush();
    const event = this.#eventOf(record, status);
    const activity = event && toActivity(event);
    if (activity === undefined) return;
    this.notifications?.publish(activity).catch((error: unknown) => {
      const facts = { event: 'import.notification-failed', import: record.id, error };
      this.log.warn(facts, 'failed to notify the user of an import');
    });
  }

  #eventOf(record: ImportRecord, status: string): ImportEvent | undefined {
    const repository = this.repositories.withId(record.repositoryId);
    const sender = this.accounts.withId(record.startedBy);
    return repository && sender && { record, status, repository, sender };
  }
}
