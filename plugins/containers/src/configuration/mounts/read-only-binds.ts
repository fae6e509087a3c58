import { invalidArgument } from '@gantry/core/errors';
import type { Mount } from '../../schema.js';
import type { PreparedMount } from './prepared-mount.js';

export interface ReadOnlyBinds {
  /** Unless a mount says otherwise, what is mounted below a read-only bind is read-only, too. */
  readonly recursiveReadOnly: boolean;
  /** The kernel can make mounts read-only with everything below them. */
  readonly canForce: boolean;
}

/** Adds how deep a read-only bind is read-only. @throws EngineError `invalid-argument` naming the option. */
export function withReadOnly(
  mount: PreparedMount,
  { ReadOnlyNonRecursive = false, ReadOnlyForceRecursive = false }: NonNullable<Mount['BindOptions']> = {},
  { recursiveReadOnly, canForce }: ReadOnlyBinds,
): PreparedMount {
  if (ReadOnlyForceRecursive) checkForced(mount, { ReadOnlyNonRecursive, canForce });
  if (ReadOnlyNonRecursive && mount.readWrite) {
    throw invalidArgument(`mount ${mount.destination}: BindOptions.ReadOnlyNonRecursive requires ReadOnly`);
  }
  if (mount.type !== 'bind' || mount.readWrite || ReadOnlyNonRecursive) return mount;
  return recursiveReadOnly || ReadOnlyForceRecursive ? { ...mount, recursiveReadOnly: true } : mount;
}

function checkForced(
  { destination, propagation, readWrite }: PreparedMount,
  { ReadOnlyNonRecursive, canForce }: { readonly ReadOnlyNonRecursive: boolean; readonly canForce: boolean },
): void {
  const refuse = (reason: string): never => {
    throw invalidArgument(`mount ${destination}: BindOptions.ReadOnlyForceRecursive ${reason}`);
  };
  if (readWrite) refuse('requires ReadOnly');
  if (ReadOnlyNonRecursive) refuse('conflicts with ReadOnlyNonRecursive');
  if (propagation !== 'rprivate') refuse(`requires the propagation rprivate, not ${propagation}`);
  if (!canForce) refuse('requires Linux 5.12');
}
