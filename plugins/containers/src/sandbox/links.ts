import { internal, kindOf } from '@gantry/core/errors';
import type { NetworkService } from '@gantry/networks/service';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import type { ResolvedLink } from './resolved-link.js';

/** Where links are the only names there are. */
const defaultNetwork = 'bridge';

export interface Link {
  /** Name or id of the other container. */
  readonly target: string;
  readonly alias: string;
}

/** Reads `name:alias`, `name`, and the form inspect shows, `/name:/self/alias`. */
export function parseLink(text: string): Link {
  const cut = text.lastIndexOf(':');
  const target = (cut < 0 ? text : text.slice(0, cut)).replace(/^\//, '');
  const alias = cut < 0 ? target : text.slice(cut + 1).replace(/^.*\//, '');
  return { target, alias: alias === '' ? target : alias };
}

/**
 * The links of a container. @throws EngineError `not-found`; `internal` ("Cannot link to a non running container: X AS
 * Y", "Cannot link to X, as it does not belong to the default network").
 */
export function resolveLinks(
  record: ContainerRecord,
  containers: ContainerLookup,
  networks: Pick<NetworkService, 'endpointsOf'>,
): ResolvedLink[] {
  return (record.hostConfig.Links ?? []).map(parseLink).map((link) => {
    const resolved = resolve(link, record, containers, networks);
    const { alias, container, endpoint } = resolved;
    if (!isAlive(container.state)) {
      throw internal(`Cannot link to a non running container: /${container.name} AS /${record.name}/${alias}`);
    }
    if (endpoint === undefined && defaultNetwork in record.networks) {
      throw internal(`Cannot link to /${container.name}, as it does not belong to the default network`);
    }
    return resolved;
  });
}

/** The links whose containers run now. */
export function liveLinks(
  record: ContainerRecord,
  containers: ContainerLookup,
  networks: Pick<NetworkService, 'endpointsOf'>,
): ResolvedLink[] {
  return (record.hostConfig.Links ?? []).map(parseLink).flatMap((link) => {
    try {
      const resolved = resolve(link, record, containers, networks);
      return isAlive(resolved.container.state) ? [resolved] : [];
    } catch (error) {
      if (kindOf(error) === 'not-found') return [];
      throw error;
    }
  });
}

/** By the id of the linked container: the further names that links give it, `/self/alias`. */
export function linkNames(records: Iterable<ContainerRecord>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { name, hostConfig } of records) {
    for (const { target, alias } of (hostConfig.Links ?? []).map(parseLink)) {
      names.set(target, [...(names.get(target) ?? []), `/${name}/${alias}`]);
    }
  }
  return names;
}

function resolve(
  { target, alias }: Link,
  record: ContainerRecord,
  containers: ContainerLookup,
  networks: Pick<NetworkService, 'endpointsOf'>,
): ResolvedLink {
  const container = containers.get(target);
  const endpoint = networks.endpointsOf(container.id).find(({ networkName }) => networkName in record.networks);
  return { alias, container, endpoint };
}
