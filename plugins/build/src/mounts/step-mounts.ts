import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { CreateBody } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { parseRunMounts, type RunMount } from '../file/parse-run-mounts.js';
import type { SourceTree } from '../images/facts-of.js';
import type { BuildSession } from '../session/build-session.js';
import { SourceImages } from '../sources/source-images.js';
import { type StageState, variablesOf } from '../stage/stage-state.js';
import { CacheMounts } from './cache-mounts.js';

type Mount = NonNullable<NonNullable<NonNullable<CreateBody['HostConfig']>['Mounts']>[number]>;

/** The mounts of one RUN, with variables replaced. */
interface PlannedMount extends RunMount {
  readonly tree?: SourceTree;
  /** What of the mount affects the result of the step. */
  readonly key: string;
}

interface OpenMounts {
  readonly mounts: readonly Mount[];
  /** Paths of the mounts in the container. */
  readonly mountPoints: readonly string[];
}

/** What `RUN --mount` brings into the container of a step. */
@injectable()
export class StepMounts {
  readonly #archive: ArchiveDriver;
  readonly #directory: string;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) directories: PackageDirectories,
    @inject(CacheMounts) private readonly caches: CacheMounts,
    @inject(SourceImages) private readonly images: SourceImages,
  ) {
    this.#archive = archives.get();
    this.#directory = join(directories.state, 'secrets');
  }

  /** Removes secrets that a crash left. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Reads what the mounts of an instruction are of. Content that is bound affects the result, so its digest is a part of the key. */
  async plan(session: BuildSession, state: StageState, instruction: Instruction): Promise<readonly PlannedMount[]> {
    const expand = (word: string): string => expandWord(word, variablesOf(state), session.escapeMark);
    const planned: PlannedMount[] = [];
    for (const raw of parseRunMounts(instruction)) {
      const written = expand(raw.target);
      const mount = {
        ...raw,
        target: written === '' ? '' : posix.resolve('/', state.config.WorkingDir ?? '/', written),
        source: expand(raw.source),
        from: expand(raw.from),
        id: expand(raw.id),
      };
      const facts = `--mount=type=${mount.type},target=${mount.target}`;
      if (mount.type !== 'bind') {
        planned.push({ ...mount, key: `${facts},id=${mount.id}` });
        continue;
      }
      const tree = await this.images.tree(session, state, mount.from);
      const { mode, digest } = await tree.facts(mount.source, { signal: session.signal });
      if (mode === undefined) throw invalidArgument(`RUN --mount: ${mount.source}: no such file or directory`);
      planned.push({ ...mount, tree, key: `${facts},source=${digest}` });
    }
    return planned;
  }

  /** Runs work with the mounts. Secrets and locks of caches are released when it settles. */
  async use<T>(
    session: BuildSession,
    planned: readonly PlannedMount[],
    work: (open: OpenMounts) => Promise<T>,
  ): Promise<T> {
    const secrets = join(this.#directory, randomBytes(16).toString('hex'));
    const open = { mounts: [] as Mount[], mountPoints: [] as string[] };
    const next = async (index: number): Promise<T> => {
      const mount = planned[index];
      if (mount === undefined) return work(open);
      const add = (item: Partial<Mount>, target = mount.target): void => {
        open.mounts.push({ Target: target, ReadOnly: mount.readOnly, ...item } as Mount);
        open.mountPoints.push(target);
      };
      if (mount.type === 'cache') {
        return this.caches.use(mount.id || mount.target, mount, (directory) => {
          add({ Type: 'bind', Source: directory });
          return next(index + 1);
        });
      }
      if (mount.type === 'tmpfs') {
        add({ Type: 'tmpfs', ...(mount.size !== undefined && { TmpfsOptions: { SizeBytes: mount.size } }) });
      } else if (mount.type === 'bind') add({ Type: 'bind', Source: await this.#boundPath(mount) });
      else await this.#addSecret(session, mount, secrets, add);
      return next(index + 1);
    };
    try {
      return await next(0);
    } finally {
      await rm(secrets, { recursive: true, force: true });
    }
  }

  async #boundPath({ tree, source }: PlannedMount): Promise<string> {
    if (tree === undefined) throw new TypeError('a bind has a tree');
    const root = await tree.directory();
    // Links are resolved inside the tree, so that none leads to a file of the host.
    return join(root, (await this.#archive.resolveInRoot(root, source)).path);
  }

  async #addSecret(
    { request, signal }: BuildSession,
    { id, target, required, mode = 0o400, uid, gid }: PlannedMount,
    directory: string,
    add: (mount: Partial<Mount>, target: string) => void,
  ): Promise<void> {
    const name = id || posix.basename(target);
    const content = await request.readSecret(name, { signal });
    if (content === undefined) {
      if (required) throw invalidArgument(`secret ${name}: not found`);
      return;
    }
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, randomBytes(8).toString('hex'));
    await writeFile(file, content, { mode: 0o400 });
    await chown(file, uid, gid);
    await chmod(file, mode);
    add({ Type: 'bind', Source: file }, target || `/run/secrets/${name}`);
  }
}
