import { internal } from '@gantry/core/errors';
import type { NetworkService } from '@gantry/networks/service';
import type { ContainerLookup, ResolvedLink } from '../interfaces.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';

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
 * The links of the default network. @throws EngineError `not-found`; `internal` ("Cannot link to a non running
 * container: X AS Y").
 */
export function resolveLinks(
  record: ContainerRecord,
  containers: ContainerLookup,
  networks: Pick<NetworkService, 'endpointsOf'>,
): ResolvedLink[] {
  return (record.hostConfig.Links ?? []).map(parseLink).map(({ target, alias }) => {
    const container = containers.get(target);
    if (!isAlive(container.state)) {
      throw internal(`Cannot link to a non running container: /${container.name} AS /${record.name}/${alias}`);
    }
    const shared = networks.endpointsOf(container.id).find(({ networkName }) => networkName in record.networks);
    return { alias, container, endpoint: shared };
  });
}
