import { stat } from 'node:fs/promises';
import type { OciDevice } from '@gantry/core/contracts';
import { deviceNumbers } from '@gantry/lib-linux/files';

/**
 * A device node of the host as one of a container, at `target`. Rejects with Node's error when it cannot be read, and
 * when it is not a device node.
 */
export async function readDevice(source: string, target: string = source): Promise<OciDevice> {
  const status = await stat(source, { bigint: true });
  if (!status.isCharacterDevice() && !status.isBlockDevice()) throw new Error('not a device node');
  return {
    type: status.isBlockDevice() ? 'b' : 'c',
    path: target,
    ...deviceNumbers(status.rdev),
    fileMode: Number(status.mode) & 0o777,
    uid: Number(status.uid),
    gid: Number(status.gid),
  };
}
