import { createHmac, randomUUID } from 'node:crypto';
import { type Collection, type StateDriver, StateDrivers, type Transaction } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { ImportSettings } from '../settings/import-settings.js';
import type { Webhook } from '../settings/read-webhooks.js';
import { type DeliveryRecord, deliveryCollection } from '../store/records.js';

const responseTimeoutMs = 10_000;
const maxBackOffMs = 3_600_000;

/**
 * Delivers webhooks at least once: a delivery is stored in the transaction of the change and deleted when the receiver
 * has responded 2xx; all attempts have the same `X-Host-Delivery`. Each receiver gets its deliveries in order, one at a
 * time. A failed delivery is retried with exponential back-off, then dropped. One that waited longer than all retries
 * for earlier ones gets a single attempt, so that the queue of a dead receiver does not grow.
 */
@injectable()
export class WebhookOutbox {
  readonly #records: Collection<DeliveryRecord>;
  readonly #sending = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #last = 0;
  #isOpen = false;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#records = states.get().collection(deliveryCollection);
    for (const [, { id }] of this.#records.entries()) this.#last = Math.max(this.#last, id);
  }

  /** Stores a delivery to each webhook. `flush` sends them after the commit. */
  put(transaction: Transaction, payload: object): void {
    for (const hook of this.settings.current.webhooks.keys()) {
      this.#last += 1;
      const fields = { id: this.#last, hook, guid: randomUUID(), madeAt: Date.now(), attempts: 0, nextAt: 0 };
      transaction.put(this.#records, keyOf(this.#last), { ...fields, body: JSON.stringify(payload) });
    }
  }

  /** Starts sending. */
  open(): void {
    this.#isOpen = true;
    this.flush();
  }

  /** Sends the deliveries that are due. */
  flush(): void {
    if (!this.#isOpen) return;
    for (const name of new Set(this.#pending().map(({ hook }) => hook))) {
      if (this.#sending.has(name)) continue;
      const sending = this.#send(name)
        .catch((error: unknown) => {
          const facts = { event: 'import.webhook-failed', webhook: name, error };
          this.log.warn(facts, 'webhook delivery is backing off');
        })
        .finally(() => this.#sending.delete(name));
      this.#sending.set(name, sending);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#stop.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#sending.values());
  }

  async #send(name: string): Promise<void> {
    for (;;) {
      const next = this.#pending().find(({ hook }) => hook === name);
      if (next === undefined || !this.#isOpen) return;
      const webhook = this.settings.current.webhooks.get(name);
      const waitMs = next.nextAt - Date.now();
      if (webhook !== undefined && waitMs > 0) {
        clearTimeout(this.#timers.get(name));
        this.#timers.set(name, setTimeout(() => this.flush(), waitMs).unref());
        return;
      }
      // Deliveries to a webhook that is no longer configured are dropped.
      const failure = webhook && (await this.#post(webhook, next));
      if (failure === undefined) await this.#records.delete(keyOf(next.id));
      else if (!this.#isOpen) return;
      else await this.#postpone(next, failure);
    }
  }

  async #postpone(delivery: DeliveryRecord, reason: string): Promise<void> {
    const { webhookAttempts: maxAttempts, webhookRetrySeconds } = this.settings.config;
    const attempts = delivery.attempts + 1;
    const backOff = (failures: number): number =>
      Math.min(webhookRetrySeconds * 1000 * 2 ** (failures - 1), maxBackOffMs);
    const retryPeriod = Array.from({ length: maxAttempts - 1 }, (_, index) => backOff(index + 1)).reduce(
      (sum, each) => sum + each,
      0,
    );
    const isStale = delivery.attempts === 0 && Date.now() - delivery.madeAt > retryPeriod;
    if (attempts >= maxAttempts || isStale) {
      const facts = { event: 'import.webhook-dropped', webhook: delivery.hook, delivery: delivery.guid };
      this.log.warn({ ...facts, attempts, reason }, 'webhook delivery dropped');
      await this.#records.delete(keyOf(delivery.id));
      return;
    }
    const nextAt = Date.now() + backOff(attempts);
    await this.#records.put(keyOf(delivery.id), { ...delivery, attempts, nextAt });
  }

  /** Resolves to the reason of a failure; undefined on success. */
  async #post({ url, secret }: Webhook, { guid, body }: DeliveryRecord): Promise<string | undefined> {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), this.#stop.signal]),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Gantry-Hookshot',
          'X-Host-Event': 'repository_import',
          'X-Host-Delivery': guid,
          'X-Hub-Signature-256': signature,
        },
      });
      await response.body?.cancel();
      return response.ok ? undefined : `the receiver responded ${response.status}`;
    } catch (error) {
      return messageOf(error instanceof Error ? (error.cause ?? error) : error);
    }
  }

  #pending(): readonly DeliveryRecord[] {
    return [...this.#records.entries()].map(([, record]) => record).sort((a, b) => a.id - b.id);
  }
}

const keyOf = (id: number): string => String(id).padStart(15, '0');
