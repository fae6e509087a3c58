import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, isRecord, PackageDirectories, replaceFile } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';

/**
 * What this engine keeps of its membership outside of the store: the key that the store's secrets are sealed with, and
 * the addresses. `creating` and `leaving` are unfinished: their swarm is deleted at the next start.
 */
export interface LocalMember {
  readonly phase: 'creating' | 'active' | 'leaving';
  readonly nodeId: string;
  readonly addresses: NodeAddresses;
  readonly key: LocalKey;
}

/** Base64; locked: sealed with the unlock key, which is only kept by the operator and in the store. */
export type LocalKey =
  | { readonly type: 'plain'; readonly key: string }
  | { readonly type: 'locked'; readonly sealedKey: string };

export interface NodeAddresses {
  /** `address:port`. */
  readonly listen: string;
  /** `address:port`. */
  readonly advertise: string;
  readonly dataPath: string;
}

/** The file with this engine's membership: absent outside of a swarm. */
@injectable()
export class LocalMemberFile {
  readonly #file: string;

  constructor(@inject(PackageDirectories) { root }: PackageDirectories) {
    this.#file = join(root, 'member.json');
  }

  /** Rejects `unavailable` when the file cannot be read. */
  async read(): Promise<LocalMember | undefined> {
    try {
      const member: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      if (!isRecord(member) || typeof member.nodeId !== 'string') throw new Error('it has no node');
      return member as unknown as LocalMember;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unavailable(`the membership of this engine cannot be read from ${this.#file}`, { cause });
    }
  }

  write(member: LocalMember): Promise<void> {
    return replaceFile(this.#file, JSON.stringify(member), { mode: 0o600, flush: true });
  }

  delete(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}
