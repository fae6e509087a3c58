import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import type { Build } from '../build.js';
import { isDirectory } from '../context/build-context.js';
import { download } from '../context/download.js';
import { cleanPath, hasWildcard, patternToExpression } from '../ignore/pattern.js';
import { factsOf, type SourceTree } from '../source-tree.js';

/** Something that COPY or ADD brings. */
export interface CopySource {
  /** Host directory that the path is in; nothing leads out of it. */
  root(): Promise<string>;
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

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Finds what the words name: in the tree, or at a URL where `takesUrls`. */
export async function findSources(
  build: Build,
  keyword: string,
  written: readonly string[],
  { tree, takesUrls }: { readonly tree: SourceTree; readonly takesUrls: boolean },
): Promise<readonly CopySource[]> {
  const sources: CopySource[] = [];
  for (const word of written) {
    if (isUrl(word) && !takesUrls) throw invalidArgument(`${keyword} failed: source can't be a URL for ${keyword}`);
    if (isUrl(word)) sources.push(await fetchSource(build, keyword, word));
    else {
      const paths = await pathsOf(build, keyword, word, tree);
      for (const path of paths) sources.push(await localSource(build, keyword, path, tree));
    }
  }
  if (sources.length === 0) throw invalidArgument(`${keyword} failed: no source files were specified`);
  return sources;
}

async function pathsOf(build: Build, keyword: string, word: string, tree: SourceTree): Promise<readonly string[]> {
  if (/^\.\.(?:\/|$)/.test(posix.normalize(word.replace(/^\/+/, '')))) {
    throw invalidArgument(`${keyword} failed: forbidden path outside the build context: ${word} ()`);
  }
  if (!hasWildcard(word)) return [word];
  const expression = patternToExpression(cleanPath(word));
  const names = await namesIn(build, await tree.directory(), word);
  return names.filter((name) => expression.test(name));
}

/** Only the part that the pattern can mean. */
async function namesIn(build: Build, root: string, word: string): Promise<readonly string[]> {
  const parts = cleanPath(word).split('/');
  const fixed = parts.slice(0, parts.findIndex(hasWildcard)).join('/');
  const { path, entries } = await build.parts.archive.listTree(root, fixed, { signal: build.signal });
  const prefix = path === '' ? '' : `${fixed}/`;
  return entries.map((entry) => `${prefix}${entry.path}`).filter((name) => name !== prefix);
}

async function localSource(build: Build, keyword: string, path: string, tree: SourceTree): Promise<CopySource> {
  const facts = await tree.facts(path, { signal: build.signal });
  if (facts.mode === undefined) {
    throw invalidArgument(`${keyword} failed: ${tree.absence}stat ${cleanPath(path)}: file does not exist`);
  }
  const name = basename(cleanPath(path));
  const directoryLike = isDirectory(facts.mode);
  return {
    root: () => tree.directory(),
    path: facts.path,
    name,
    isDirectory: directoryLike,
    digest: named(directoryLike ? '' : name, facts.digest),
    isRemote: false,
  };
}

/** A file of another name is another file at its place. */
const named = (name: string, digest: string): string => createHash('sha256').update(`${name}\0${digest}`).digest('hex');

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
    const digest = named(name, factsOf(listing).digest);
    return { root: async () => root, path: 'file', name, isDirectory: false, digest, isRemote: true };
  } catch (error) {
    if (build.signal.aborted || !EngineError.is(error)) throw error;
    throw invalidArgument(`${keyword} failed: ${messageOf(error)}`, { cause: error });
  }
}
