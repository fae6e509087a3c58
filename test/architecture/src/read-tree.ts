import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tree } from './tree.js';

const skipped = new Set(['node_modules', 'dist', '.git']);
const picture = /\.(png|svg)$/;
const textFile = /(\.(ts|tsx|css|js|mjs|json|md|yml|yaml|sh)|\/LICENSE|\/run|\/bin\/[^./]+)$/;

/** Reads the project below `root`: text files, and pictures without their content; nothing installed or generated. */
export async function readTree(root: string): Promise<Tree> {
  const files = new Map<string, string>();
  await readFolder(root, '', files);
  return new Tree(files);
}

async function readFolder(root: string, folder: string, files: Map<string, string>): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) await readFolder(root, path, files);
    if (entry.isFile() && picture.test(path)) files.set(path, '');
    if (entry.isFile() && textFile.test(`/${path}`)) files.set(path, await readFile(join(root, path), 'utf8'));
  }
}
