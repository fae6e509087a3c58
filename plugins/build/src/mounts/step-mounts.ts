import { join, posix } from 'node:path';
import type { CreateBody } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { parseRunMounts, type RunMount } from '../file/parse-run-mounts.js';
import type { SourceTree } from '../images/facts-of.js';
import type { BuildSession } from '../session/build-session.js';
import { SourceImages } from '../sources/source-images.js';
import { type StageState, variablesOf } from '../stage/stage-state.js';
import { CacheMounts } from './cache-mounts.js';
import { type StepFileSet, StepFiles } from './step-files.js';

type Mount = NonNullable<NonNullable<NonNullable<CreateBody['HostConfig']>['Mounts']>[number]>;

/** The mounts of one RUN, with variables replaced. */
interface PlannedMount extends RunMount {
  readonly tree?: SourceTree;
  /** What of the mount affects the result of the step. */
  readonly key: string;
}

interface OpenMounts {
  readonly mounts: Mount[];
  /** Paths of the mounts in the container. */
  readonly mountPoints: string[];
  /** Variables that are stored nowhere. */
  readonly environment: string[];
  readonly files: StepFileSet;
}

/** What `RUN --mount` brings into the container of a step. */
@injectable()
export class StepMounts {
  readonly #archive: ArchiveDriver;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(CacheMounts) private readonly caches: CacheMounts,
    @inject(SourceImages) private readonly images: SourceImages,
    @inject(StepFiles) private readonly files: StepFiles,
  ) {
    this.#archive = archives.get();
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
      const variable = mount.variable === '' ? '' : `,env=${mount.variable}`;
      const facts = `--mount=type=${mount.type},target=${mount.target}${variable}`;
      if (mount.type !== 'bind') {
        planned.push({ ...mount, key: `${facts},id=${mount.id}` });
        continue;
      }
      const tree = await this.images.tree(session, state, mount.from);
      const { mode, digest } = await tree.facts(mount.source, { signal: session.signal });
      if (mode === undefined) throw invalidArgument(`RUN --mount: ${mount.source}: no such file or directory`);
      planned.push({ ...mount, tree, key: `${facts},source=${digest}${mount.readOnly ? '' : ',readwrite'}` });
    }
    return planned;
  }

  /** Runs work with the mounts. Secrets, sockets, copies, and locks of caches are released when it settles. */
  use<T>(session: BuildSession, planned: readonly PlannedMount[], work: (open: OpenMounts) => Promise<T>): Promise<T> {
    return this.files.use(async (files) => {
      const copies: string[] = [];
      const open: OpenMounts = { mounts: [], mountPoints: [], environment: [], files };
      const next = async (index: number): Promise<T> => {
        const mount = planned[index];
        if (mount === undefined) return work(open);
        if (mount.type === 'cache') {
          return this.caches.use(mount.id || mount.target, mount, (directory) => {
            add(open, mount, { Type: 'bind', Source: directory });
            return next(index + 1);
          });
        }
        if (mount.type === 'tmpfs') {
          add(open, mount, {
            Type: 'tmpfs',
            ...(mount.size !== undefined && { TmpfsOptions: { SizeBytes: mount.size } }),
          });
        } else if (mount.type === 'bind') {
          const source = mount.readOnly ? await this.#boundPath(mount) : await this.#copy(session, mount, copies);
          add(open, mount, { Type: 'bind', Source: source });
        } else if (mount.type === 'secret') await addSecret(session, mount, open);
        else await addAgent(session, mount, open);
        return next(index + 1);
      };
      try {
        return await next(0);
      } finally {
        await Promise.all(copies.map((directory) => this.#archive.removeTree(directory)));
      }
    });
  }

  async #boundPath({ tree, source }: PlannedMount): Promise<string> {
    if (tree === undefined) throw new TypeError('a bind has a tree');
    const root = await tree.directory();
    // Links are resolved inside the tree, so that none leads to a file of the host.
    return join(root, (await this.#archive.resolveInRoot(root, source)).path);
  }

  /** What a step may write to, which is discarded after it. */
  async #copy({ context, signal }: BuildSession, { tree, source }: PlannedMount, copies: string[]): Promise<string> {
    if (tree === undefined) throw new TypeError('a bind has a tree');
    const root = await tree.directory();
    const { path } = await this.#archive.resolveInRoot(root, source, { signal });
    const directory = await context.scratch();
    copies.push(directory);
    const stream = this.#archive.packSelection(root, [{ path, name: 'copy', contentOnly: false }], { signal });
    await this.#archive.extract({ stream, compression: 'none' }, directory, '/', { signal });
    return join(directory, 'copy');
  }
}

function add(
  open: OpenMounts,
  { target, readOnly }: Pick<RunMount, 'target' | 'readOnly'>,
  item: Partial<Mount>,
): void {
  open.mounts.push({ Target: target, ReadOnly: readOnly, ...item } as Mount);
  open.mountPoints.push(target);
}

async function addSecret({ request, signal }: BuildSession, mount: PlannedMount, open: OpenMounts): Promise<void> {
  const { id, target, required, variable } = mount;
  const name = id || posix.basename(target) || variable;
  const content = await request.readSecret(name, { signal });
  if (content === undefined) {
    if (required) throw invalidArgument(`secret ${name}: not found`);
    return;
  }
  if (variable !== '') open.environment.push(`${variable}=${content.toString('utf8')}`);
  if (variable !== '' && target === '') return;
  const file = await open.files.write(content, mount);
  add(open, { target: target || `/run/secrets/${name}`, readOnly: true }, { Type: 'bind', Source: file });
}

async function addAgent(session: BuildSession, mount: PlannedMount, open: OpenMounts): Promise<void> {
  const { id, required, target } = mount;
  const name = id || 'default';
  const connect = await session.request.findAgent(name, { signal: session.signal });
  if (connect === undefined) {
    if (required) throw invalidArgument(`unset ssh forward key ${name}`);
    return;
  }
  const count = open.mountPoints.filter((path) => path.startsWith('/run/buildkit/ssh_agent.')).length;
  const path = target || `/run/buildkit/ssh_agent.${count}`;
  const socket = await open.files.listen(connect, mount);
  add(open, { target: path, readOnly: true }, { Type: 'bind', Source: socket });
  if (!open.environment.some((entry) => entry.startsWith('SSH_AUTH_SOCK='))) {
    open.environment.push(`SSH_AUTH_SOCK=${path}`);
  }
}
