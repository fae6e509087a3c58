import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Git } from '../git/git.js';
import type { Workshop } from '../tools/workshop.js';
import { type ExportEdit, ExportStream } from './export-stream.js';
import { unquotePath } from './quoted-path.js';

const step = 'moving large files to Git LFS';
const attributesPath = '.gitattributes';

/** Takes large files out of every commit. */
export function removalEdit(large: ReadonlySet<string>): ExportEdit {
  // Not just leaving the file out, or what was at the path before would stay there.
  return { file: (mode, oid, path) => (large.has(oid) ? `D ${path}\n` : `M ${mode} ${oid} ${path}\n`) };
}

/**
 * Puts large files, in all versions of their paths, into the repository's LFS store, and pointers in their places. Every
 * commit from the first on has the paths in its attributes, so that a clone gets the files themselves.
 */
export async function lfsEdit(
  git: Git,
  workshop: Workshop,
  repository: string,
  large: ReadonlySet<string>,
  exported: readonly string[],
): Promise<ExportEdit> {
  const paths = new Set<string>();
  const attributes = new Set<string>();
  await survey(git, workshop, repository, exported, (oid, path) => {
    if (large.has(oid)) paths.add(path);
    if (path === attributesPath) attributes.add(oid);
  });
  // All versions of such a file: with the attributes, a small one that is no pointer would count as changed.
  const versions = new Set<string>();
  await survey(git, workshop, repository, exported, (oid, path) => {
    if (paths.has(path)) versions.add(oid);
  });
  const pointers = new Map<string, string>();
  for (const oid of versions) pointers.set(oid, await pointerTo(git, workshop, repository, oid));
  const rules = Buffer.from([...paths].sort().map(attributeLine).join(''), 'latin1');
  const bare = await write(git, repository, rules);
  const joined = new Map<string, string>();
  for (const oid of attributes) {
    const before = await git.run(step, repository, ['cat-file', 'blob', oid], { keep: true });
    const separator = before.length > 0 && before.at(-1) !== 0x0a ? '\n' : '';
    joined.set(oid, await write(git, repository, Buffer.concat([before, Buffer.from(separator), rules])));
  }
  const plain = `M 100644 ${bare} ${attributesPath}\n`;
  return {
    root: () => plain,
    file: (mode, oid, path) => {
      if (path === attributesPath) return `M 100644 ${joined.get(oid) ?? bare} ${path}\n`;
      const pointer = paths.has(path) && isFile(mode) ? pointers.get(oid) : undefined;
      return `M ${mode} ${pointer ?? oid} ${path}\n`;
    },
    removal: (path) => (path === attributesPath ? plain : `D ${path}\n`),
  };
}

/** Calls for every file of every commit that adds or changes it, with its path as the stream has it. */
async function survey(
  git: Git,
  workshop: Workshop,
  repository: string,
  exported: readonly string[],
  onFile: (oid: string, path: string) => void,
): Promise<void> {
  const see = new ExportStream({
    file: (mode, oid, path) => {
      if (isFile(mode)) onFile(oid, path);
      return '';
    },
  });
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const seen = pipeline(see, nowhere);
  await Promise.all([workshop.run(step, git.call(repository, exported, { output: see })), seen]);
}

/** Not a symbolic link or a submodule. */
const isFile = (mode: string): boolean => mode.startsWith('100');

async function pointerTo(git: Git, workshop: Workshop, repository: string, oid: string): Promise<string> {
  const pointer = new PassThrough();
  const collected = (pointer as AsyncIterable<Buffer> & PassThrough).toArray() as Promise<Buffer[]>;
  const env = { ...git.environment, GIT_DIR: repository };
  const [, chunks] = await Promise.all([
    workshop.runPiped(step, [
      git.call(repository, ['cat-file', 'blob', oid]),
      { program: 'git-lfs', args: ['clean', '--', oid], env, output: pointer },
    ]),
    collected,
  ]);
  return write(git, repository, Buffer.concat(chunks));
}

const write = (git: Git, repository: string, content: Buffer): Promise<string> =>
  git.text(step, repository, ['hash-object', '-w', '--stdin'], { input: content });

/** A path as fast-export quotes it, as a pattern that matches that path only. */
function attributeLine(quoted: string): string {
  const pattern = Buffer.from(unquotePath(quoted))
    .toString('latin1')
    .replace(/[\\*?[]/g, '\\$&')
    .replace(/\s/g, '[[:space:]]');
  return `/${pattern} filter=lfs diff=lfs merge=lfs -text\n`;
}
