import { invalidArgument } from '@gantry/core/errors';
import type { ContainerLookup } from '../../container-lookup.js';
import { parseLink } from '../../sandbox/parse-link.js';
import { hasBlank } from '../../validation/host-config-check.js';

/**
 * Links as they are kept, `id:alias`, so that they survive a rename of the other container.
 * @throws EngineError `invalid-argument`.
 */
export const completeLinks = (links: readonly string[], containers: ContainerLookup): readonly string[] =>
  links.map((text) => {
    const { target, alias } = parseLink(text);
    if (target === '' || target.includes(':') || hasBlank(alias)) {
      throw invalidArgument(`Links: bad format for links: ${text}`);
    }
    const other = containers.get(target);
    if (other.hostConfig.NetworkMode === 'host') {
      throw invalidArgument(
        "conflicting options: host type networking can't be used with links. This would result in undefined behavior",
      );
    }
    return `${other.id}:${alias}`;
  });
