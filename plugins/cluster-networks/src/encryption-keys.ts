import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterService, type ManagerSession, newId } from '@gantry/cluster/service';
import {
  type ClusterRecord,
  type ClusterStore,
  createRecord,
  type TunnelKey,
  updateRecord,
} from '@gantry/core/contracts';
import { Clock, inject, injectable, Logger } from '@gantry/core/driver';
import { isEncrypted } from '@gantry/lib-network';
import { type EncryptionKeyState, encryptionKeyKind, type SealedKey } from './encryption-key-kind.js';
import { networkKind } from './network-kind.js';
import { nextEncryptionKeys, rotationInterval, sendingKey, untilRotation } from './next-encryption-keys.js';

const keyBytes = 32;
const retryDelay = 1_000;

/** The keys of the networks that are encrypted between nodes. The leader makes and rotates them. */
@injectable()
export class EncryptionKeys {
  readonly #unsealed = new WeakMap<ClusterRecord<EncryptionKeyState>, readonly TunnelKey[]>();

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** None while no network is encrypted. */
  of(store: ClusterStore): readonly TunnelKey[] {
    const [record] = store.list(encryptionKeyKind);
    if (record === undefined) return [];
    const known = this.#unsealed.get(record) ?? this.#unseal(record.value);
    this.#unsealed.set(record, known);
    return known;
  }

  /** For as long as the session lasts. */
  async run({ signal, store }: ManagerSession): Promise<void> {
    while (!signal.aborted) {
      const round = new AbortController();
      const ended = AbortSignal.any([signal, round.signal]);
      try {
        const changes = store.watch({ kinds: [networkKind], signal: ended });
        const wait = await this.#rotate(store);
        await Promise.race([firstOf(changes), delay(wait, undefined, { signal: ended, ref: false })]);
      } catch (err) {
        if (signal.aborted) return;
        this.log.warn({ event: 'networks.keys-delayed', err }, 'failed to rotate the keys of networks; retrying');
        await delay(retryDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
      } finally {
        round.abort();
      }
    }
  }

  /** @returns the milliseconds until the next time. */
  async #rotate(store: ClusterStore): Promise<number> {
    if (!store.list(networkKind).some(({ value }) => isEncrypted(value.options))) return rotationInterval;
    const [record] = store.list(encryptionKeyKind);
    const now = new Date(Number(this.clock.now() / 1_000_000n));
    const wait = record === undefined ? 0 : untilRotation(record.value, now);
    if (wait > 0) return wait;
    const next = nextEncryptionKeys(record?.value, () => this.#newKey(), now);
    const change =
      record === undefined
        ? createRecord(encryptionKeyKind, newId(), next)
        : updateRecord(encryptionKeyKind, record, next);
    await store.transact([change]);
    this.log.info({ event: 'networks.keys-rotated', keys: next.keys.length }, 'the keys of networks were rotated');
    return rotationInterval;
  }

  #newKey(): SealedKey {
    return { id: newId(), sealed: this.cluster.seal(randomBytes(keyBytes)) };
  }

  #unseal(state: EncryptionKeyState): readonly TunnelKey[] {
    const sending = sendingKey(state);
    return state.keys.map((key) => ({
      id: key.id,
      secret: this.cluster.unseal(key.sealed).toString('base64'),
      sends: key === sending,
    }));
  }
}

async function firstOf(changes: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of changes) return;
}
