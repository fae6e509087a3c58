import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.js';
import type { ToolSandbox } from '../sandbox/tool-sandbox.js';
import { type ExportEdit, ExportStream } from './export-stream.js';
import { originalRefs, type Refs, readRefs, sourceRefs } from './repository-refs.js';

/** Exports the source's history without the contents of files, which are not copied. */
export const historyExport = [
  'fast-export',
  '--no-data',
  '--signed-tags=strip',
  '--tag-of-filtered-object=rewrite',
  '--mark-tags',
  '--reencode=yes',
  `--refspec=${sourceRefs}heads/*:refs/heads/*`,
  `--refspec=${sourceRefs}tags/*:refs/tags/*`,
  `--glob=${sourceRefs}*`,
];

/** Streams the source's history through an edit. @returns the edited refs, by their names in the result. */
export async function streamHistory(
  git: Git,
  sandbox: ToolSandbox,
  repository: string,
  edit: ExportEdit,
  step: string,
): Promise<Refs> {
  const originals = await originalRefs(git, step, repository);
  const target = join(sandbox.home, 'rewrite');
  await rm(target, { recursive: true, force: true });
  try {
    await git.run(step, undefined, ['init', '--quiet', '--bare', '--', target]);
    const stream = new ExportStream(edit);
    await Promise.all([
      sandbox.run(step, git.call(repository, historyExport, { output: stream })),
      sandbox.run(step, {
        // Refs are written to the temporary repository, objects directly to the converted one.
        ...git.call(target, ['fast-import', '--quiet', '--force'], {
          env: { GIT_OBJECT_DIRECTORY: join(repository, 'objects') },
        }),
        input: stream,
      }),
    ]);
    const env = { GIT_OBJECT_DIRECTORY: join(repository, 'objects') };
    const made = await readRefs(git, step, target, ['refs/heads/', 'refs/tags/'], env);
    // Tags of blobs and trees have no author and are not exported.
    return new Map([...originals].map(([name, id]) => [name, made.get(name) ?? id] as const));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}
