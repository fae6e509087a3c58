import { createHmac, randomUUID } from 'node:crypto';
import type { Collection, StateDriver, Transaction } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { type DeliveryRecord, deliveryCollection } from '../store/records.js';

/** Who is told of imports, by name. */
export interface Hook {
  readonly url: string;
  readonly secret: string;
}

export interface OutboxOptions {
  readonly hooks: () => ReadonlyMap<string, Hook>;
  readonly attempts: () => number;
  readonly retrySeconds: () => number;
  readonly log: Logger;
}

/** A receiver that takes longer has not taken it. */
const answerWithinMs = 10_000;
const longestWaitMs = 3_600_000;

/**
 * Deliveries of webhooks, written down in the transaction that they tell of and taken out when the receiver has
 * answered 2xx: none is lost by a crash, and one may come twice, with the same `X-Host-Delivery`. Each receiver gets
 * its deliveries in order, one at a time; what fails is tried again after ever longer times and then given up. One that
 * had to wait that long for those before it is tried once, so that no queue grows for a receiver that has gone.
 */
export class Outbox {
  readonly #records: Collection<DeliveryRecord>;
  readonly #sending = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #last = 0;
  #isOpen = false;

  constructor(
    state: StateDriver,
    private readonly options: OutboxOptions,
  ) {
    this.#records = state.collection(deliveryCollection);
    for (const [, { id }] of this.#records.entries()) this.#last = Math.max(this.#last, id);
  }

  /** To all hooks, when the transaction has resolved and `flush` is called. */
  put(transaction: Transaction, payload: object): void {
    for (const hook of this.options.hooks().keys()) {
      this.#last += 1;
      const fields = { id: this.#last, hook, guid: randomUUID(), madeAt: Date.now(), attempts: 0, nextAt: 0 };
      transaction.put(this.#records, keyOf(this.#last), { ...fields, body: JSON.stringify(payload) });
    }
  }

  /** From now on deliveries leave. */
  open(): void {
    this.#isOpen = true;
    this.flush();
  }

  /** Sends what is due. */
  flush(): void {
    if (!this.#isOpen) return;
    for (const name of new Set(this.#pending().map(({ hook }) => hook))) {
      if (this.#sending.has(name)) continue;
      const sending = this.#send(name)
        .catch((error: unknown) => {
          this.options.log.warn({ event: 'import.hook-failed', hook: name, reason: messageOf(error) }, 'webhooks wait');
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
      const hook = this.options.hooks().get(name);
      const wait = next.nextAt - Date.now();
      if (hook !== undefined && wait > 0) {
        clearTimeout(this.#timers.get(name));
        this.#timers.set(name, setTimeout(() => this.flush(), wait).unref());
        return;
      }
      // A hook that is no longer configured gets nothing.
      const failure = hook && (await this.#post(hook, next));
      if (failure === undefined) await this.#records.delete(keyOf(next.id));
      else if (!this.#isOpen) return;
      else await this.#postpone(next, failure);
    }
  }

  async #postpone(delivery: DeliveryRecord, reason: string): Promise<void> {
    const attempts = delivery.attempts + 1;
    const facts = { event: 'import.hook-refused', hook: delivery.hook, delivery: delivery.guid, attempts, reason };
    const wait = (failures: number): number =>
      Math.min(this.options.retrySeconds() * 1000 * 2 ** (failures - 1), longestWaitMs);
    const most = this.options.attempts();
    const patience = Array.from({ length: most - 1 }, (_, index) => wait(index + 1)).reduce(
      (sum, each) => sum + each,
      0,
    );
    const isStale = delivery.attempts === 0 && Date.now() - delivery.madeAt > patience;
    if (attempts >= most || isStale) {
      this.options.log.warn(facts, 'a webhook delivery was given up');
      await this.#records.delete(keyOf(delivery.id));
      return;
    }
    await this.#records.put(keyOf(delivery.id), { ...delivery, attempts, nextAt: Date.now() + wait(attempts) });
  }

  /** Resolves to why it was not taken. */
  async #post({ url, secret }: Hook, { guid, body }: DeliveryRecord): Promise<string | undefined> {
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), this.#stop.signal]),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Gantry-Hookshot',
          'X-Host-Event': 'repository_import',
          'X-Host-Delivery': guid,
          'X-Hub-Signature-256': signature,
        },
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `the answer was ${answer.status}`;
    } catch (error) {
      return messageOf(error instanceof Error ? (error.cause ?? error) : error);
    }
  }

  #pending(): readonly DeliveryRecord[] {
    return [...this.#records.entries()].map(([, record]) => record).sort((a, b) => a.id - b.id);
  }
}

const keyOf = (id: number): string => String(id).padStart(15, '0');
