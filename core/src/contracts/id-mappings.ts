import type { OciIdMapping } from './oci.js';

/**
 * How the user and group ids of containers appear on the host: their user namespace has these mappings, and the files
 * of images, containers and volumes have the host's ids. Empty lists: ids are the same on both sides.
 */
export interface IdMappings {
  readonly uids: readonly OciIdMapping[];
  readonly gids: readonly OciIdMapping[];
}

/** Injects the mappings of this engine. */
export const IdMappings = Symbol.for('gantry.id-mappings');

/** Ids are the same on both sides. */
export const identityMappings: IdMappings = { uids: [], gids: [] };

/** Whether containers have user namespaces of their own by default. */
export const areRemapped = ({ uids, gids }: IdMappings): boolean => uids.length > 0 || gids.length > 0;

/** The host's id for a container's; undefined outside of the ranges. */
export function toHostId(mappings: readonly OciIdMapping[], id: number): number | undefined {
  if (mappings.length === 0) return id;
  const range = mappings.find(({ containerID, size }) => id >= containerID && id < containerID + size);
  return range === undefined ? undefined : range.hostID + id - range.containerID;
}

/** The container's id for a host's; undefined outside of the ranges. */
export function toContainerId(mappings: readonly OciIdMapping[], id: number): number | undefined {
  if (mappings.length === 0) return id;
  const range = mappings.find(({ hostID, size }) => id >= hostID && id < hostID + size);
  return range === undefined ? undefined : range.containerID + id - range.hostID;
}

/** The owner, on the host, of what belongs to root in containers. */
export const hostRoot = ({ uids, gids }: IdMappings): { readonly uid: number; readonly gid: number } => ({
  uid: toHostId(uids, 0) ?? 0,
  gid: toHostId(gids, 0) ?? 0,
});
