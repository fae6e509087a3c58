import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Git } from '../git/git.js';
import type { ToolSandbox } from '../sandbox/tool-sandbox.js';
import { type ExportEdit, ExportStream } from './export-stream.js';
import { unquotePath } from './unquote-path.js';

const step = 'moving large files to Git LFS';
const attributesPath = '.gitattributes';

/** Removes large files from every commit. */
export function removalEdit(large: ReadonlySet<string>): ExportEdit {
  // An explicit deletion: without one the path would keep its previous content.
  return { file: (mode, oid, path) => (large.has(oid) ? `D ${path}\n` : `M ${mode} ${oid} ${path}\n`) };
}

/**
 * Moves large files, with all versions of their paths, into the repository's LFS store and replaces them by pointers.
 * Every commit from the first on lists the paths in its attributes, so that a clone checks the files out.
 */
export async function lfsEdit(
  git: Git,
  sandbox: ToolSandbox,
  repository: string,
  large: ReadonlySet<string>,
  exported: readonly string[],
): Promise<ExportEdit> {
  const paths = new Set<string>();
  const attributes = new Set<string>();
  await visitFiles(git, sandbox, repository, exported, (oid, path) => {
    if (large.has(oid)) paths.add(path);
    if (path === attributesPath) attributes.add(oid);
  });
  // All versions of the file: given the attributes, a small version without a pointer would count as modified.
  const versions = new Set<string>();
  await visitFiles(git, sandbox, repository, exported, (oid, path) => {
    if (paths.has(path)) versions.add(oid);
  });
  const pointers = new Map<string, string>();
  for (const oid of versions) pointers.set(oid, await pointerTo(git, sandbox, repository, oid));
  const rules = Buffer.from([...paths].sort().map(attributeLine).join(''), 'latin1');
  const rulesOnly = await writeBlob(git, repository, rules);
  const joined = new Map<string, string>();
  for (const oid of attributes) {
    const before = await git.run(step, repository, ['cat-file', 'blob', oid], { capture: true });
    const separator = before.length > 0 && before.at(-1) !== 0x0a ? '\n' : '';
    joined.set(oid, await writeBlob(git, repository, Buffer.concat([before, Buffer.from(separator), rules])));
  }
  const rulesLine = `M 100644 ${rulesOnly} ${attributesPath}\n`;
  return {
    root: () => rulesLine,
    file: (mode, oid, path) => {
      if (path === attributesPath) return `M 100644 ${joined.get(oid) ?? rulesOnly} ${path}\n`;
      const pointer = paths.has(path) && isFile(mode) ? pointers.get(oid) : undefined;
      return `M ${mode} ${pointer ?? oid} ${path}\n`;
    },
    removal: (path) => (path === attributesPath ? rulesLine : `D ${path}\n`),
  };
}

/** Calls `onFile` for every file that a commit adds or changes, with its path as the stream has it. */
async function visitFiles(
  git: Git,
  sandbox: ToolSandbox,
  repository: string,
  exported: readonly string[],
  onFile: (oid: string, path: string) => void,
): Promise<void> {
  const visitor = new ExportStream({
    file: (mode, oid, path) => {
      if (isFile(mode)) onFile(oid, path);
      return '';
    },
  });
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const visited = pipeline(visitor, discard);
  await Promise.all([sandbox.run(step, git.call(repository, exported, { output: visitor })), visited]);
}

/** Not a symbolic link or a submodule. */
const isFile = (mode: string): boolean => mode.startsWith('100');

async function pointerTo(git: Git, sandbox: ToolSandbox, repository: string, oid: string): Promise<string> {
  const pointer = new PassThrough();
  const collected = (pointer as AsyncIterable<Buffer> & PassThrough).toArray() as Promise<Buffer[]>;
  const env = { ...git.environment, GIT_DIR: repository };
  const [, chunks] = await Promise.all([
    sandbox.runPiped(step, [
      git.call(repository, ['cat-file', 'blob', oid]),
      { program: 'git-lfs', args: ['clean', '--', oid], env, output: pointer },
    ]),
    collected,
  ]);
  return writeBlob(git, repository, Buffer.concat(chunks));
}

const writeBlob = (git: Git, repository: string, content: Buffer): Promise<string> =>
  git.text(step, repository, ['hash-object', '-w', '--stdin'], { input: content });

/** The attributes line for a path as fast-export quotes it, with a pattern that matches that path only. */
function attributeLine(quoted: string): string {
  const pattern = Buffer.from(unquotePath(quoted))
    .toString('latin1')
    .replace(/[\\*?[]/g, '\\$&')
    .replace(/\s/g, '[[:space:]]');
  return `/${pattern} filter=lfs diff=lfs merge=lfs -text\n`;
}
