import {
  type ClusterRecord,
  type ClusterStore,
  createRecord,
  deleteRecord,
  TransactionConflict,
  updateRecord,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { seal, unseal } from '../keys/seal.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { newId } from '../records/new-id.js';
import type { SealedObject, SealedSpec } from '../records/sealed-kinds.js';
import { ObjectUsers } from './object-users.js';
import type { SealedType } from './sealed-type.js';

/** Secrets and configs in the store, their content sealed. */
@injectable()
export class SealedObjects {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ObjectUsers) private readonly users: ObjectUsers,
  ) {}

  async list({ kind }: SealedType): Promise<readonly ClusterRecord<SealedObject>[]> {
    const { store } = await this.membership.manager();
    return store.list(kind);
  }

  /** By id, name, or the beginning of an id. Rejects `not-found`. */
  async get(type: SealedType, text: string): Promise<ClusterRecord<SealedObject>> {
    const { store } = await this.membership.manager();
    return find(store, type, text);
  }

  content(record: ClusterRecord<SealedObject>): Buffer {
    return unseal(this.membership.present().key, record.value.sealed);
  }

  /** Returns the id. Rejects `conflict` for a name that another one has. */
  async create({ kind, noun }: SealedType, spec: SealedSpec, content: Buffer): Promise<string> {
    const { store, key } = await this.membership.manager();
    const id = newId();
    try {
      await store.transact([createRecord(kind, id, { spec, sealed: seal(key, content) })]);
    } catch (error) {
      if (!TransactionConflict.is(error) || error.reason !== 'name') throw error;
      throw conflict(`${noun} ${spec.Name} already exists`);
    }
    return id;
  }

  /** Changes the labels; content given must be the present one. Rejects `not-found`, `conflict`, `invalid-argument`. */
  async update(type: SealedType, text: string, change: SealedUpdate): Promise<void> {
    const { store, key } = await this.membership.manager();
    const record = find(store, type, text);
    const { spec: present, sealed } = record.value;
    if (record.revision !== change.version) throw conflict('update out of sequence');
    const { Labels, ...rest } = change.spec;
    const isSameContent = change.content === undefined || change.content.equals(unseal(key, sealed));
    const isSameSpec = rest.Name === present.Name && rest.Templating?.Name === present.Templating?.Name;
    if (!isSameContent || !isSameSpec) throw invalidArgument('only updates to Labels are allowed');
    await store.transact([updateRecord(type.kind, record, { spec: { ...present, Labels }, sealed })]);
  }

  /** Rejects `not-found`, and `invalid-argument` while services use it. */
  remove(type: SealedType, text: string): Promise<void> {
    return this.users.exclusively(() => this.#remove(type, text));
  }

  async #remove(type: SealedType, text: string): Promise<void> {
    const session = await this.membership.manager();
    const record = find(session.store, type, text);
    const users = this.users.usersOf(session, record.id);
    if (users.length > 0) {
      const services = users.length === 1 ? 'service' : 'services';
      throw invalidArgument(
        `${type.noun} '${record.value.spec.Name}' is in use by the following ${services}: ${users.join(', ')}`,
      );
    }
    await session.store.transact([deleteRecord(type.kind, record)]);
  }
}

interface SealedUpdate {
  readonly version: number;
  readonly spec: SealedSpec;
  readonly content: Buffer | undefined;
}

function find(store: ClusterStore, { kind, noun }: SealedType, text: string): ClusterRecord<SealedObject> {
  const exact = store.get(kind, text) ?? store.byName(kind, text);
  if (exact !== undefined) return exact;
  const [found, ...others] = text === '' ? [] : store.list(kind).filter(({ id }) => id.startsWith(text));
  if (others.length > 0) throw conflict(`${noun} ${text} is ambiguous (${others.length + 1} matches found)`);
  if (found === undefined) throw notFound(`${noun} ${text} not found`);
  return found;
}
