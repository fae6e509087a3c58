import { hostRoot, type IdMappings, identityMappings, toContainerId, toHostId } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Translates the owners of files between archives, which have the ids of containers, and the disk, which has the host's. */
export class FileOwners {
  static readonly identity = new FileOwners(identityMappings);

  /** The owner, on the host, of what belongs to root in an archive. */
  readonly root: Owner;

  constructor(private readonly mappings: IdMappings) {
    this.root = hostRoot(mappings);
  }

  /** @throws EngineError `invalid-argument` for an id that has no place in the mapping. */
  toHost(owner: Owner): Owner {
    return { uid: this.#hostId('uids', owner.uid), gid: this.#hostId('gids', owner.gid) };
  }

  /** An id outside of the mapping belongs to the host, such as that of a file in a bind mount, and stays as it is. */
  toContainer({ uid, gid }: Owner): Owner {
    return { uid: this.#containerId('uids', uid), gid: this.#containerId('gids', gid) };
  }

  /** The value of an extended attribute as the disk has it. */
  attributeToHost(name: string, value: Buffer): Buffer {
    return withMappedAccess(name, value, (kind, id) => this.#hostId(kind, id));
  }

  /** The value of an extended attribute as archives have it. */
  attributeToContainer(name: string, value: Buffer): Buffer {
    if (name === 'security.capability') return withoutRootId(value);
    return withMappedAccess(name, value, (kind, id) => this.#containerId(kind, id));
  }

  #hostId(kind: keyof IdMappings, id: number): number {
    const found = toHostId(this.mappings[kind], id);
    if (found === undefined) throw invalidArgument(`${nouns[kind]} ${id} is beyond the ids that containers have here`);
    return found;
  }

  #containerId(kind: keyof IdMappings, id: number): number {
    return toContainerId(this.mappings[kind], id) ?? id;
  }
}

const nouns: Readonly<Record<keyof IdMappings, string>> = { uids: 'user', gids: 'group' };

const accessHeader = 4;
const accessEntry = 8;
/** Tags of the entries of an access list that name a user or a group. */
const named: Readonly<Record<number, keyof IdMappings>> = { 2: 'uids', 8: 'gids' };

/** An access list (acl(5)) as the kernel keeps it: a version, then entries of tag, permissions and id. */
function withMappedAccess(name: string, value: Buffer, map: (kind: keyof IdMappings, id: number) => number): Buffer {
  if (name !== 'system.posix_acl_access' && name !== 'system.posix_acl_default') return value;
  const mapped = Buffer.from(value);
  for (let at = accessHeader; at + accessEntry <= mapped.length; at += accessEntry) {
    const kind = named[mapped.readUInt16LE(at)];
    if (kind !== undefined) mapped.writeUInt32LE(map(kind, mapped.readUInt32LE(at + 4)), at + 4);
  }
  return mapped;
}

const revision2 = 2;
const revision3 = 3;
const revision2Length = 20;

/** Capabilities that were set in a user namespace name its root on this host, which no other host has. */
function withoutRootId(value: Buffer): Buffer {
  if (value[3] !== revision3 || value.length <= revision2Length) return value;
  const plain = Buffer.from(value.subarray(0, revision2Length));
  plain[3] = revision2;
  return plain;
}
