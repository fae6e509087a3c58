import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidRequest } from './invalid-request.js';
import { manifestOf } from './manifest-of.js';
import type { PackageRequest } from './package-request.js';

const templates = fileURLToPath(new URL('../templates', import.meta.url));

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  experimentalDecorators: true,
  types: ['node'],
  declaration: true,
  rootDir: 'src',
  outDir: 'dist',
};

/**
 * Writes the package.
 * @returns its files, relative to its directory.
 * @throws InvalidRequest when there is something in the directory already; then nothing is written.
 */
export async function createPackage(request: PackageRequest): Promise<readonly string[]> {
  const { directory, language, kind } = request;
  const present = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new InvalidRequest(`${directory}: ${error.message}`);
  });
  if (present.length > 0) throw new InvalidRequest(`${directory} is not empty: "${present[0]}" is in it`);
  const readme = filled(await readFile(join(templates, 'README.md'), 'utf8'), request);
  const files = new Map([['README.md', readme]]);
  for (const template of [join(kind, language), join(kind, 'kit')]) {
    for (const [name, text] of await filesBelow(join(templates, template))) {
      files.set(name, filled(text, request));
    }
  }
  files.set('package.json', `${JSON.stringify(await manifestOf(request), undefined, 2)}\n`);
  files.set('.gitignore', 'node_modules/\ndist/\n');
  if (language === 'typescript') {
    files.set('tsconfig.json', `${JSON.stringify({ compilerOptions, include: ['src'] }, undefined, 2)}\n`);
  }
  for (const [name, text] of files) {
    await mkdir(join(directory, dirname(name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return [...files.keys()].sort();
}

/** Name and text of each file; none of a directory that does not exist. */
async function filesBelow(directory: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return Promise.all(
    names.map(async (name) => [name.slice(directory.length + 1), await readFile(name, 'utf8')] as const),
  );
}

/** Words between underscores are placeholders of the templates, which are code that a formatter can read. */
function filled(text: string, { kind, id }: PackageRequest): string {
  const words = id.split('-').filter((word) => word !== '');
  const name = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
  return text
    .replaceAll('__kind__', kind)
    .replaceAll('__id__', id)
    .replaceAll('__Name__', name)
    .replaceAll('__table__', words.join('_'));
}
