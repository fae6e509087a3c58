import {
  type SourceContext,
  type SourceConversionOptions,
  type SourceDetection,
  type SourceDriver,
  SourceDrivers,
  SourceError,
  type SourceRepository,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { createBareRepository, emptyTree, writeObject, writeRef } from './source/loose-objects.js';

/** The made-up repository of a URL such as `memory:tools?commits=3&projects=one,two&password=secret`. */
interface MadeUpRepository {
  readonly commits: number;
  readonly projects: readonly string[];
  readonly password: string | undefined;
}

/** Reads repositories that are described by their URLs; no program and no network is used. */
class MemorySource implements SourceDriver {
  readonly capabilities = { schemes: ['memory:'], projects: 'names' } as const;

  async detect(source: SourceRepository, { signal }: SourceContext): Promise<SourceDetection> {
    const { projects, password } = parse(source.url);
    signal?.throwIfAborted();
    if (password !== undefined && source.password !== password) {
      return { status: 'needs-auth', refused: source.password !== undefined };
    }
    if (projects.length < 2 || source.project !== undefined) return { status: 'found' };
    return {
      status: 'found-multiple',
      choices: projects.map((project) => ({ project, humanName: `${project} (memory)` })),
    };
  }

  async convert(source: SourceRepository, options: SourceConversionOptions): Promise<void> {
    const { repository, onProgress, signal } = options;
    const { commits } = parse(source.url);
    const detection = await this.detect(source, options);
    if (detection.status === 'needs-auth') {
      const failure = detection.refused ? 'auth-failed' : 'auth-needed';
      throw new SourceError(failure, 'the source requires its password', 'converting');
    }
    if (detection.status === 'found-multiple') {
      throw new SourceError('project-needed', 'name one of the projects', 'converting');
    }
    await createBareRepository(repository);
    const tree = await writeObject(repository, 'tree', emptyTree);
    let parent: string | undefined;
    for (let number = 1; number <= commits; number += 1) {
      onProgress?.({ commitCount: commits, percent: Math.floor((100 * (number - 1)) / commits) });
      signal?.throwIfAborted();
      parent = await writeObject(repository, 'commit', commitOf(tree, parent, number));
    }
    if (parent !== undefined) {
      for (const name of ['refs/source/heads/master', 'refs/heads/master']) await writeRef(repository, name, parent);
    }
    onProgress?.({ commitCount: commits, percent: 100 });
  }
}

function parse(text: string): MadeUpRepository {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'memory:') {
    throw new SourceError('unsupported-url', `${text} is not a memory: URL`, 'reading the URL of the source');
  }
  return {
    commits: Number(url.searchParams.get('commits') ?? 1),
    projects: url.searchParams.get('projects')?.split(',') ?? [],
    password: url.searchParams.get('password') ?? undefined,
  };
}

function commitOf(tree: string, parent: string | undefined, number: number): Buffer {
  const person = `alice <alice@example.org> ${1000 + number} +0000`;
  const header = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  return Buffer.from(`${header.join('\n')}\nauthor ${person}\ncommitter ${person}\n\nchange ${number}\n`);
}

export const source = defineDriver({
  id: 'memory',
  provides: SourceDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new MemorySource(),
});
