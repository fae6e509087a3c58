import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.js';
import type { Workshop } from '../tools/workshop.js';
import { type ExportEdit, ExportStream } from './export-stream.js';
import { originalRefs, type Refs, readRefs, sourceRefs } from './refs.js';

/** How git writes the source's history out: without the contents of files, which stay where they are. */
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

/** Streams the source's history through an edit, and says what its refs are then, by their names in the result. */
export async function streamHistory(
  git: Git,
  workshop: Workshop,
  repository: string,
  edit: ExportEdit,
  step: string,
): Promise<Refs> {
  const originals = await originalRefs(git, step, repository);
  const desk = join(workshop.home, 'rewrite');
  await rm(desk, { recursive: true, force: true });
  try {
    await git.run(step, undefined, ['init', '--quiet', '--bare', '--', desk]);
    const stream = new ExportStream(edit);
    await Promise.all([
      workshop.run(step, git.call(repository, historyExport, { output: stream })),
      workshop.run(step, {
        // Refs go to the desk, objects straight to where they are wanted.
        ...git.call(desk, ['fast-import', '--quiet', '--force'], {
          env: { GIT_OBJECT_DIRECTORY: join(repository, 'objects') },
        }),
        input: stream,
      }),
    ]);
    const env = { GIT_OBJECT_DIRECTORY: join(repository, 'objects') };
    const made = await readRefs(git, step, desk, ['refs/heads/', 'refs/tags/'], env);
    // Tags of something else than commits have nobody's name in them, and are not historyExport.
    return new Map([...originals].map(([name, id]) => [name, made.get(name) ?? id] as const));
  } finally {
    await rm(desk, { recursive: true, force: true });
  }
}
