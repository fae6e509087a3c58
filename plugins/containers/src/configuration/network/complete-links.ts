import { invalidArgument } from '@gantry/core/errors';
import type { ContainerLookup } from '../../container-lookup.js';
import type { ContainerRecord } from '../../record.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import { type Link, parseLink } from '../../sandbox/parse-link.js';
import { hasBlank } from '../../validation/host-config-check.js';

interface LinkOptions {
  /** On user-defined networks a link is a further name, which may come to exist later. */
  readonly byName: boolean;
}

/**
 * Links as they are kept: `id:alias`, so that they survive a rename of the other container, or the name where names
 * are resolved. @throws EngineError `invalid-argument`.
 */
export const completeLinks = (
  links: readonly string[],
  containers: ContainerLookup,
  { byName }: LinkOptions,
): readonly string[] =>
  links.map(checkedLink).map(({ target, alias }) => {
    const id = byName ? target : networkOwner(containers.get(target), containers).id;
    return `${id}:${alias}`;
  });

function checkedLink(text: string): Link {
  const link = parseLink(text);
  if (link.target !== '' && !link.target.includes(':') && !hasBlank(link.alias)) return link;
  throw invalidArgument(`Links: bad format for links: ${text}`);
}

/** The container whose network stack a container uses: links lead to its addresses. */
function networkOwner(container: ContainerRecord, containers: ContainerLookup): ContainerRecord {
  const seen = new Set<string>();
  let owner = container;
  for (let mode = owner.hostConfig.NetworkMode; ; mode = owner.hostConfig.NetworkMode) {
    const other = joinedContainer(mode);
    if (mode === 'host') {
      throw invalidArgument(
        "conflicting options: host type networking can't be used with links. This would result in undefined behavior",
      );
    }
    if (other === undefined || seen.has(owner.id)) return owner;
    seen.add(owner.id);
    owner = containers.get(other);
  }
}
