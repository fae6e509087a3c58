import { type ClusterStore, TransactionConflict } from '@gantry/core/contracts';
import { conflict, type EngineError, invalidArgument } from '@gantry/core/errors';
import { serviceKind } from '../records/record-kinds.js';
import { portName, portNames } from '../spec/ports.js';
import type { PortConfig } from '../spec/service-spec.js';

/** Clients look for these words to read the record again and retry. */
export const outOfSequence = (cause?: unknown): EngineError =>
  conflict('rpc error: code = Unknown desc = update out of sequence', { cause });

/** @throws EngineError `conflict` for a name in use, `invalid-argument` for a published port. */
export function checkNames(store: ClusterStore, id: string, name: string, ports: readonly PortConfig[]): void {
  const namesake = store.byName(serviceKind, name);
  if (namesake !== undefined && namesake.id !== id) {
    throw conflict(
      `rpc error: code = AlreadyExists desc = name conflicts with an existing object: service ${name} already exists`,
    );
  }
  for (const port of ports.filter((candidate) => portNames([candidate]).length > 0)) {
    const holder = store.byName(serviceKind, portName(port));
    if (holder === undefined || holder.id === id) continue;
    const { Name: user } = holder.value.Spec;
    throw invalidArgument(
      `EndpointSpec.Ports.PublishedPort: port '${port.PublishedPort}' is already in use by service '${user}' (${holder.id})`,
    );
  }
}

/** Runs a change until no other one has taken a name or a port, or removed a network, between the check and the transaction. */
export async function retryOnTakenName<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      const isRace = TransactionConflict.is(error) && (error.reason === 'name' || error.reason === 'revision');
      if (attempt === 3 || !isRace) throw error;
    }
  }
}
