import { invalidArgument } from '@gantry/core/errors';
import type { MountRequest } from '@gantry/linux/mounts';
import { parseMountOptions } from '@gantry/linux/mounts';

/** Options of a volume, as `--opt` gives them: what mount(8) would be told. */
export interface VolumeMount {
  readonly type: string;
  readonly device: string;
  readonly o: string;
}

const known = ['type', 'device', 'o'];

/**
 * Reads a volume's options. Without any, the volume is a plain directory.
 * @throws EngineError `invalid-argument` naming the option.
 */
export function parseVolumeOptions(options: Readonly<Record<string, string>>): VolumeMount | undefined {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw invalidArgument(`invalid option: "${key}"`);
  }
  const { type = '', device = '', o = '' } = options;
  if (type === '' && device === '' && o === '') return undefined;
  if (device === '') throw invalidArgument(`missing device in volume options`);
  const isBind = bindWords.test(o) || type === 'bind' || type === 'none';
  if (type === '' && !isBind) throw invalidArgument('missing type in volume options');
  if (isBind && !device.startsWith('/')) {
    throw invalidArgument(`invalid option: device "${device}" of a bind is not an absolute path`);
  }
  return { type, device, o };
}

const bindWords = /(^|,)r?bind(,|$)/;

/** What to tell the kernel. An NFS server's name in `addr` is for the caller to look up. */
export function toMountRequest(
  { type, device, o }: VolumeMount,
  target: string,
): MountRequest & { readonly bind: boolean } {
  const bind = bindWords.test(o) || type === 'bind' || type === 'none';
  const words = o.split(',').filter((word) => word !== '' && !/^r?bind$/.test(word));
  const { flags, data } = parseMountOptions(words.join(','));
  return { bind, source: device, target, type: bind ? 'none' : type, flags, ...(data !== '' && { data }) };
}
