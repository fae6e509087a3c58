import { invalidArgument } from '@gantry/core/errors';
import type { ContainerLookup } from '../../container-lookup.js';
import { parseMountMode } from './mount-mode.js';
import type { PreparedMount } from './prepared-mount.js';

/**
 * The mounts of another container, `name[:mode]`. File systems in memory and hidden mounts stay its own.
 * @throws EngineError `invalid-argument`.
 */
export function mountsFrom(text: string, containers: ContainerLookup): readonly PreparedMount[] {
  const [reference = '', mode = '', ...rest] = text.split(':');
  if (reference === '' || rest.length > 0) throw invalidArgument(`VolumesFrom: invalid volumes-from: "${text}"`);
  const parsed = parseMountMode(mode);
  if (parsed === undefined || parsed.propagation !== '' || parsed.noCopy) {
    throw invalidArgument(`VolumesFrom: invalid mode: ${mode}`);
  }
  return containers
    .get(reference)
    .mounts.filter(({ hidden, type }) => type !== 'tmpfs' && !hidden)
    .map((mount) => ({
      ...mount,
      mode: mode || mount.mode,
      readWrite: mount.readWrite && parsed.readWrite,
      copyUp: false,
    }));
}
