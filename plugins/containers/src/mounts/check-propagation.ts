import { internal } from '@gantry/core/errors';
import { hostMountOf } from './host-mounts.js';

/**
 * Mounts made later only travel where the host's mount lets them: without that, the mode of a bind would be a wish that
 * comes to nothing. Rejects `internal`, saying which mount is in the way.
 */
export async function checkPropagation(source: string, propagation: string): Promise<void> {
  const isToShare = /^r?shared$/.test(propagation);
  if (!isToShare && !/^r?slave$/.test(propagation)) return;
  const mount = await hostMountOf(source);
  if (mount === undefined || mount.isShared || (!isToShare && mount.isSlave)) return;
  const needed = isToShare ? 'shared' : 'shared or slave';
  throw internal(`path ${source} is mounted on ${mount.target} but it is not a ${needed} mount`);
}
