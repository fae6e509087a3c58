import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { messageOf, unavailable } from '@gantry/core/errors';
import { isErrno, LinuxError } from '@gantry/lib-linux';
import { type Mounts, type Propagation, parseMountOptions } from '@gantry/lib-linux/mounts';
import { isBind, type VolumeOptions } from './volume-options.js';

const propagations: readonly string[] = [
  'private',
  'rprivate',
  'slave',
  'rslave',
  'shared',
  'rshared',
  'unbindable',
  'runbindable',
] satisfies Propagation[];

/** File systems whose option `addr` the kernel wants as an address, not as a name. */
const takesAddress = /^(nfs4?|cifs|smb3)$/;

/** Mounts what a volume's options describe. Rejects `unavailable` with the kernel's reason. */
export async function mountVolume(mounts: Mounts, options: VolumeOptions, target: string): Promise<void> {
  const { type, device, o } = options;
  const words = o.split(',');
  const propagation = words.find((word): word is Propagation => propagations.includes(word));
  const { flags, data } = parseMountOptions(
    words.filter((word) => !propagations.includes(word) && word !== 'bind' && word !== 'rbind').join(','),
  );
  try {
    if (isBind(options)) await mounts.bind({ source: device, target, recursive: words.includes('rbind'), flags });
    else await mounts.mount({ source: device, target, type, flags, data: await resolveAddress(type, data) });
    if (propagation !== undefined) await mounts.propagate(target, propagation);
  } catch (error) {
    throw unavailable(
      `error while mounting volume '${target}': failed to mount local volume: mount ${device}:${target}: ${reasonOf(error)}${hintFor(options, error)}`,
      { cause: error },
    );
  }
}

/** The kernel says the same of an absent file system as of an absent device. */
const hintFor = (options: VolumeOptions, error: unknown): string =>
  !isBind(options) && isErrno(error, 'ENODEV')
    ? `: this kernel has no file system "${options.type}", and no module for it`
    : '';

/** The reason alone: the path is in the message already. */
function reasonOf(error: unknown): string {
  if (!(error instanceof LinuxError)) return messageOf(error);
  const words = /^\w+: (.*?), /.exec(error.message)?.[1] ?? error.message;
  return error.detail === undefined ? words : `${words} (${error.detail})`;
}

async function resolveAddress(type: string, data: string): Promise<string> {
  if (!takesAddress.test(type)) return data;
  const words = data.split(',').map(async (word) => {
    const host = word.startsWith('addr=') ? word.slice('addr='.length) : '';
    return host === '' || isIP(host) !== 0 ? word : `addr=${await addressOf(host)}`;
  });
  return (await Promise.all(words)).join(',');
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    const message = `error resolving passed in network volume address: lookup ${host}: ${messageOf(cause)}`;
    throw unavailable(message, { cause });
  }
}
