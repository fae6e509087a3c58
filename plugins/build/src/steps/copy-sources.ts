import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TreeListing } from '@gantry/archive';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import type { Build } from '../build.js';
import { isDirectory } from '../context/build-context.js';
import { download } from '../context/download.js';
import { cleanPath, hasWildcard, patternToExpression } from '../ignore/pattern.js';

/** Something that COPY or ADD brings. */
export interface CopySource {
  /** Host directory that the path is in; nothing leads out of it. */
  readonly root: string;
  /** Without links. */
  readonly path: string;
  /** The last part of what was written. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Of what it holds and what it is called. */
  readonly digest: string;
  /** It came by a URL. */
  readonly isRemote: boolean;
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Finds what the words name: in the context, in `root`, or at a URL where `takesUrls`. */
export async function findSources(
  build: Build,
  keyword: string,
  written: readonly string[],
  { root, takesUrls }: { readonly root: string | undefined; readonly takesUrls: boolean },
): Promise<readonly CopySource[]> {
  const sources: CopySource[] = [];
  for (const word of written) {
    if (takesUrls && isUrl(word)) sources.push(await fetchSource(build, keyword, word));
    else
      for (const path of await pathsOf(build, keyword, word, root))
        sources.push(await localSource(build, keyword, path, root));
  }
  if (sources.length === 0) throw invalidArgument(`${keyword} failed: no source files were specified`);
  return sources;
}

async function pathsOf(
  build: Build,
  keyword: string,
  word: string,
  root: string | undefined,
): Promise<readonly string[]> {
  if (/^\.\.(?:\/|$)/.test(posix.normalize(word))) {
    throw invalidArgument(`${keyword} failed: forbidden path outside the build context: ${word} ()`);
  }
  if (!hasWildcard(word)) return [word];
  const expression = patternToExpression(cleanPath(word));
  const names = root === undefined ? await build.context.names() : await namesIn(build, root, word);
  return names.filter((name) => expression.test(name));
}

/** Of an image only the part that the pattern can mean is read. */
async function namesIn(build: Build, root: string, word: string): Promise<readonly string[]> {
  const parts = cleanPath(word).split('/');
  const fixed = parts.slice(0, parts.findIndex(hasWildcard)).join('/');
  const { path, entries } = await build.parts.archive.listTree(root, fixed, { signal: build.signal });
  const prefix = path === '' ? '' : `${fixed}/`;
  return entries.map((entry) => `${prefix}${entry.path}`).filter((name) => name !== prefix);
}

async function localSource(build: Build, keyword: string, path: string, root: string | undefined): Promise<CopySource> {
  const directory = root ?? build.context.directory;
  const listing = await build.parts.archive.listTree(directory, path, { digests: true, signal: build.signal });
  if (listing.mode === undefined) {
    const where = root === undefined ? 'file not found in build context or excluded by .dockerignore: ' : '';
    throw invalidArgument(`${keyword} failed: ${where}stat ${cleanPath(path)}: file does not exist`);
  }
  const name = basename(cleanPath(path));
  const directoryLike = isDirectory(listing.mode);
  return {
    root: directory,
    path: listing.path,
    name,
    isDirectory: directoryLike,
    digest: digestOf(listing, directoryLike ? '' : name),
    isRemote: false,
  };
}

function digestOf({ entries }: TreeListing, name: string): string {
  const hash = createHash('sha256').update(`${name}\0`);
  // What the directory itself is like is not copied.
  for (const { path, digest } of entries) if (path !== '' || entries.length === 1) hash.update(`${path}\0${digest}\0`);
  return hash.digest('hex');
}

async function fetchSource(build: Build, keyword: string, url: string): Promise<CopySource> {
  try {
    const name = basename(decodeURIComponent(new URL(url).pathname)).replaceAll('\0', '');
    if (name === '' || name === '.' || name === '..') {
      throw invalidArgument(`cannot determine filename from url: ${url}`);
    }
    await build.output.write('\n');
    const { body, modified } = await download(url, { signal: build.signal });
    const root = await build.context.scratch();
    const file = join(root, 'file');
    await pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal: build.signal });
    const time = modified ?? new Date(0);
    await utimes(file, time, time);
    const listing = await build.parts.archive.listTree(root, 'file', { digests: true });
    return { root, path: 'file', name, isDirectory: false, digest: digestOf(listing, name), isRemote: true };
  } catch (error) {
    if (build.signal.aborted || !EngineError.is(error)) throw error;
    throw invalidArgument(`${keyword} failed: ${messageOf(error)}`, { cause: error });
  }
}
