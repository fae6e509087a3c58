import type { ContainerSummary } from '../../api/container-types';
import { get } from '../../api/request';

/** The containers that mount each volume, by the volume's name. */
export async function readVolumeUsers(signal: AbortSignal): Promise<ReadonlyMap<string, readonly ContainerSummary[]>> {
  const users = new Map<string, ContainerSummary[]>();
  for (const container of await get<ContainerSummary[]>('/containers/json', { all: true }, signal)) {
    for (const { Type, Name } of container.Mounts) {
      if (Type === 'volume' && Name !== undefined) users.set(Name, [...(users.get(Name) ?? []), container]);
    }
  }
  return users;
}
