import { type ClusterRecord, type RecordKind, readRecord } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import { decodeRecord } from './envelope.js';
import { keysOf } from './keys-of.js';

/** The outcome of reading a record: the record, or the reason for its quarantine. */
type Outcome = { readonly record: ClusterRecord<unknown> } | { readonly fault: string };

/** A record at one revision, decoded when a package first reads its kind. */
export class StoredRecord {
  /** Characters of the encoded record. */
  readonly size: number;
  #encoded: string | undefined;
  #outcome: Outcome | undefined;

  constructor(
    readonly kind: string,
    readonly id: string,
    readonly revision: number,
    encoded: string,
  ) {
    this.#encoded = encoded;
    this.size = encoded.length;
  }

  /** The record, or undefined when it cannot be read. */
  read<T>(kind: RecordKind<T>): ClusterRecord<T> | undefined {
    const outcome = this.#read(kind);
    return 'record' in outcome ? (outcome.record as ClusterRecord<T>) : undefined;
  }

  /** Why the record cannot be read; undefined when it can, or when its kind was not read yet. */
  get fault(): string | undefined {
    return this.#outcome !== undefined && 'fault' in this.#outcome ? this.#outcome.fault : undefined;
  }

  #read(kind: RecordKind<unknown>): Outcome {
    this.#outcome ??= this.#decode(kind);
    this.#encoded = undefined;
    return this.#outcome;
  }

  #decode(kind: RecordKind<unknown>): Outcome {
    try {
      const { version, createdAt, updatedAt, value } = decodeRecord(this.#encoded ?? '');
      const { id, revision } = this;
      const record = { id, revision, createdAt, updatedAt, value: readRecord(kind, version, value) };
      // Also checked here: one that could not be entered in an index would stop every reader of the store.
      keysOf(kind, record.value);
      return { record };
    } catch (error) {
      return { fault: messageOf(error) };
    }
  }
}
