import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import { download } from '@gantry/lib-http';
import { isDirectory } from '../context/build-context.js';
import type { StageOutput } from '../contract/build-output.js';
import type { Heredoc } from '../file/heredoc.js';
import { cleanPath, hasWildcard, patternToExpression } from '../ignore/pattern.js';
import { factsOf, type SourceTree } from '../images/facts-of.js';
import type { BuildSession } from '../session/build-session.js';

/** A source of COPY or ADD. */
export interface CopySource {
  /** Host directory that the path is relative to. Links are resolved inside it. */
  root(): Promise<string>;
  /** With links resolved. */
  readonly path: string;
  /** The last component of the path as written. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Digest of its content and name. */
  readonly digest: string;
  /** It was downloaded. */
  readonly isRemote: boolean;
}

interface SearchOptions {
  readonly keyword: string;
  readonly tree: SourceTree;
  readonly output: StageOutput;
  /** With variables replaced. */
  readonly heredocs: readonly Heredoc[];
  /** What a download must have, such as `sha256:...`; empty for anything. */
  readonly checksum: string;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Resolves the sources of COPY and ADD. */
@injectable()
export class SourceFinder {
  readonly #archive: ArchiveDriver;

  constructor(@inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>) {
    this.#archive = archives.get();
  }

  /** Finds the paths, and for ADD the URLs, that the words name. */
  async find(
    session: BuildSession,
    words: readonly string[],
    { keyword, tree, output, heredocs, checksum }: SearchOptions,
  ): Promise<readonly CopySource[]> {
    const { signal } = session;
    const sources: CopySource[] = [];
    if (checksum !== '' && !(words.length === 1 && isUrl(words[0] ?? ''))) {
      throw invalidArgument('checksum can only be specified for HTTP(S) sources');
    }
    for (const word of words) {
      const heredoc = heredocs.find((item) => item.word === word);
      if (heredoc !== undefined) {
        sources.push(await this.#write(session, heredoc));
        continue;
      }
      if (isUrl(word)) {
        if (keyword !== 'ADD') throw invalidArgument(`${keyword} failed: source can't be a URL for ${keyword}`);
        sources.push(await this.#download(session, output, word, checksum));
        continue;
      }
      for (const path of await this.#expandPattern(keyword, word, tree, signal)) {
        sources.push(await localSource(keyword, path, tree, signal));
      }
    }
    if (sources.length === 0) throw invalidArgument(`${keyword} failed: no source files were specified`);
    return sources;
  }

  async #expandPattern(
    keyword: string,
    word: string,
    tree: SourceTree,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (/^\.\.(?:\/|$)/.test(posix.normalize(word.replace(/^\/+/, '')))) {
      throw invalidArgument(`${keyword} failed: forbidden path outside the build context: ${word} ()`);
    }
    if (!hasWildcard(word)) return [word];
    const expression = patternToExpression(cleanPath(word));
    const names = await this.#namesIn(await tree.directory(), word, signal);
    return names.filter((name) => expression.test(name));
  }

  /** Paths below the part of the pattern without wildcards. */
  async #namesIn(root: string, word: string, signal: AbortSignal): Promise<readonly string[]> {
    const parts = cleanPath(word).split('/');
    const fixed = parts.slice(0, parts.findIndex(hasWildcard)).join('/');
    const { path, entries } = await this.#archive.listTree(root, fixed, { signal });
    const prefix = path === '' ? '' : `${fixed}/`;
    return entries.map((entry) => `${prefix}${entry.path}`).filter((name) => name !== prefix);
  }

  /** The text of a heredoc as a file. */
  async #write({ context }: BuildSession, { name, content }: Heredoc): Promise<CopySource> {
    const root = await context.scratch();
    await writeFile(join(root, 'file'), content, { mode: 0o644 });
    const digest = namedDigest(name, createHash('sha256').update(content).digest('hex'));
    return { root: async () => root, path: 'file', name, isDirectory: false, digest, isRemote: true };
  }

  async #download(
    { context, signal }: BuildSession,
    output: StageOutput,
    url: string,
    checksum: string,
  ): Promise<CopySource> {
    try {
      const name = basename(decodeURIComponent(new URL(url).pathname)).replaceAll('\0', '');
      if (name === '' || name === '.' || name === '..') {
        throw invalidArgument(`cannot determine filename from url: ${url}`);
      }
      await output.text('\n');
      const { body, modified } = await download(url, { signal });
      const root = await context.scratch();
      const file = join(root, 'file');
      await pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal });
      if (checksum !== '') await checkDigest(file, checksum);
      const time = modified ?? new Date(0);
      await utimes(file, time, time);
      const listing = await this.#archive.listTree(root, 'file', { digests: true });
      const digest = namedDigest(name, factsOf(listing).digest);
      return { root: async () => root, path: 'file', name, isDirectory: false, digest, isRemote: true };
    } catch (error) {
      if (signal.aborted || !EngineError.is(error)) throw error;
      throw invalidArgument(`ADD failed: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** @throws EngineError when the file has another digest. */
async function checkDigest(file: string, checksum: string): Promise<void> {
  const [, algorithm = '', wanted] = /^(sha256|sha384|sha512):([0-9a-f]+)$/.exec(checksum) ?? [];
  if (wanted === undefined) throw invalidArgument(`checksum: "${checksum}" is not a digest such as sha256:<hex>`);
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== wanted) throw invalidArgument(`digest mismatch ${algorithm}:${found}: ${checksum}`);
}

async function localSource(keyword: string, path: string, tree: SourceTree, signal: AbortSignal): Promise<CopySource> {
  const facts = await tree.facts(path, { signal });
  if (facts.mode === undefined) {
    throw invalidArgument(`${keyword} failed: ${tree.absenceMessage}stat ${cleanPath(path)}: file does not exist`);
  }
  const name = basename(cleanPath(path));
  const isDir = isDirectory(facts.mode);
  return {
    root: () => tree.directory(),
    path: facts.path,
    name,
    isDirectory: isDir,
    digest: namedDigest(isDir ? '' : name, facts.digest),
    isRemote: false,
  };
}

/** A file's name affects the layer, so it is part of the digest. */
const namedDigest = (name: string, digest: string): string =>
  createHash('sha256').update(`${name}\0${digest}`).digest('hex');
