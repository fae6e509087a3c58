import { chmodSync } from 'node:fs';
import type { ByteString, TarEntry } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import type { FileOwners } from './file-owners.js';
import type { KernelCalls } from './kernel-calls.js';
import { nativePath } from './native-path.js';

/** Attributes of overlayfs, which an archive must not set: it could make a layer show files of others. */
const isReserved = (name: string): boolean => /^(trusted|user)\.overlay\./.test(name);

export interface MetadataOptions {
  readonly owners: FileOwners;
  /** Whether attributes of overlayfs are set: of an archive that the engine made itself. */
  readonly overlayAttributes: boolean;
}

/**
 * Sets the metadata that a change of owner clears: the mode (setuid), the attributes (capabilities) and the times. The times
 * of directories are set at the end.
 */
export function applyMetadata(
  path: ByteString,
  entry: TarEntry,
  calls: KernelCalls,
  { owners, overlayAttributes }: MetadataOptions,
): void {
  if (entry.type !== 'symlink' && entry.type !== 'file') chmodSync(nativePath(path), entry.mode);
  for (const [name, value] of entry.attributes) {
    if (isReserved(name) && !overlayAttributes) continue;
    applyAttribute(path, entry, calls, name, owners.attributeToHost(name, value));
  }
  if (entry.type !== 'directory') calls.setTimes(path, entry.accessed ?? entry.modified, entry.modified);
}

function applyAttribute(path: ByteString, entry: TarEntry, calls: KernelCalls, name: string, value: Buffer): void {
  try {
    calls.setAttribute(path, name, value);
  } catch (error) {
    // The filesystem may not have attributes; and only files and directories may have those of users.
    if (isErrno(error, 'ENOTSUP', 'EOPNOTSUPP')) return;
    const isUserAttribute = name.startsWith('user.') && entry.type !== 'file' && entry.type !== 'directory';
    if (isErrno(error, 'EPERM') && (isUserAttribute || isOfHostOnly(name))) return;
    throw error;
  }
}

/** In a user namespace only capabilities may be set of what root of the host may set. */
const isOfHostOnly = (name: string): boolean =>
  isInUserNamespace() && !name.startsWith('user.') && name !== 'security.capability';
