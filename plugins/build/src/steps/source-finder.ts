import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import { fetchRepository } from '@gantry/lib-archive/repository';
import { download } from '@gantry/lib-http';
import { Launcher } from '@gantry/lib-linux/launcher';
import { isDirectory } from '../context/build-context.js';
import type { StageOutput } from '../contract/build-output.js';
import type { Heredoc } from '../file/heredoc.js';
import { type GitSource, parseGitUrl } from '../file/parse-git-url.js';
import { cleanPath, hasWildcard, patternToExpression } from '../ignore/pattern.js';
import { factsOf, type SourceTree } from '../images/facts-of.js';
import type { BuildSession } from '../session/build-session.js';
import { nestedSources, splitPivot, withoutExcluded } from './copy-selection.js';

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
  /** A directory is copied under its name, not only what is in it. */
  readonly isNested: boolean;
  /** Of a directory: what of it is copied, by path below it; everything without. */
  readonly keeps?: (path: string) => boolean;
}

interface SearchOptions {
  readonly keyword: string;
  readonly tree: SourceTree;
  /** As in `BuildRequest`. */
  readonly followsBuildKit: boolean;
  readonly output: StageOutput;
  /** With variables replaced. */
  readonly heredocs: readonly Heredoc[];
  /** What a download must have, such as `sha256:...`; empty for anything. */
  readonly checksum: string;
  /** Patterns of what directories are copied without. */
  readonly excluded: readonly string[];
  /** Directories above the sources are copied, too. */
  readonly nests: boolean;
  readonly keepsGitDirectory: boolean;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
const isRemote = (text: string): boolean => isUrl(text) || parseGitUrl(text) !== undefined;

/** Resolves the sources of COPY and ADD. */
@injectable()
export class SourceFinder {
  readonly #archive: ArchiveDriver;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(Launcher.token) private readonly launcher: Launcher,
  ) {
    this.#archive = archives.get();
  }

  /** Finds the paths, and for ADD the URLs, that the words name. */
  async find(session: BuildSession, words: readonly string[], options: SearchOptions): Promise<readonly CopySource[]> {
    const { signal } = session;
    const { keyword, tree, output, heredocs, checksum, followsBuildKit } = options;
    const sources: CopySource[] = [];
    if (checksum !== '' && !(words.length === 1 && isRemote(words[0] ?? ''))) {
      throw invalidArgument('checksum can only be specified for HTTP(S) and Git sources');
    }
    for (const word of words) {
      const heredoc = heredocs.find((item) => item.word === word);
      if (heredoc !== undefined) {
        sources.push(await this.#write(session, heredoc));
        continue;
      }
      const git = keyword === 'ADD' ? parseGitUrl(word) : undefined;
      if (git !== undefined) {
        sources.push(await this.#fetch(session, git, options));
        continue;
      }
      if (isUrl(word)) {
        if (keyword !== 'ADD') throw invalidArgument(`${keyword} failed: source can't be a URL for ${keyword}`);
        sources.push(await this.#download(session, output, word, checksum));
        continue;
      }
      if (options.nests) {
        sources.push(...(await nested(word, options, signal)));
        continue;
      }
      const inside = followsBuildKit ? posix.join('/', word) : word;
      for (const path of await this.#expandPattern(keyword, inside, tree, signal)) {
        sources.push(await localSource(path, options, signal));
      }
    }
    if (sources.length === 0 && !followsBuildKit)
      throw invalidArgument(`${keyword} failed: no source files were specified`);
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
    return { root: async () => root, path: 'file', name, isDirectory: false, digest, isRemote: true, isNested: false };
  }

  async #fetch(
    { context, signal }: BuildSession,
    git: GitSource,
    { checksum, keepsGitDirectory, excluded }: SearchOptions,
  ): Promise<CopySource> {
    const root = await context.scratch();
    const commit = await fetchRepository(git, root, { launcher: this.launcher, signal, keepsGitDirectory });
    if (checksum !== '' && !commit.startsWith(checksum.toLowerCase())) {
      throw invalidArgument(`ADD failed: expected checksum to match ${checksum}, got ${commit}`);
    }
    const listing = await this.#archive.listTree(root, git.directory, { digests: true, signal });
    if (listing.mode === undefined || !isDirectory(listing.mode)) {
      throw invalidArgument(`ADD failed: the repository has no directory ${git.directory}`);
    }
    const selection = excluded.length === 0 ? undefined : withoutExcluded(listing, excluded);
    return {
      root: async () => root,
      path: listing.path,
      name: '',
      isDirectory: true,
      // The files of Git differ from fetch to fetch.
      digest: keepsGitDirectory
        ? namedDigest('', commit)
        : namedDigest('', selection?.digest ?? factsOf(listing).digest),
      isRemote: true,
      isNested: false,
      ...(selection !== undefined && { keeps: selection.keeps }),
    };
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
      return {
        root: async () => root,
        path: 'file',
        name,
        isDirectory: false,
        digest,
        isRemote: true,
        isNested: false,
      };
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

const absent = ({ keyword, tree, followsBuildKit }: SearchOptions, path: string): Error =>
  invalidArgument(
    followsBuildKit
      ? `failed to compute cache key: "/${cleanPath(path)}": not found`
      : `${keyword} failed: ${tree.absenceMessage}stat ${cleanPath(path)}: file does not exist`,
  );

async function localSource(path: string, options: SearchOptions, signal: AbortSignal): Promise<CopySource> {
  const { tree, excluded } = options;
  const facts = await tree.facts(path, { signal });
  if (facts.mode === undefined) throw absent(options, path);
  const name = basename(cleanPath(path));
  const isDir = isDirectory(facts.mode);
  const selection =
    isDir && excluded.length > 0 ? withoutExcluded(await tree.listing(path, { signal }), excluded) : undefined;
  return {
    root: () => tree.directory(),
    path: facts.path,
    name,
    isDirectory: isDir,
    digest: namedDigest(isDir ? '' : name, selection?.digest ?? facts.digest),
    isRemote: false,
    isNested: false,
    ...(selection !== undefined && { keeps: selection.keeps }),
  };
}

/** The sources of one word with `--parents`: each is below the directories above it. */
async function nested(word: string, options: SearchOptions, signal: AbortSignal): Promise<readonly CopySource[]> {
  const { tree, excluded } = options;
  const { base, pattern } = splitPivot(word);
  const listing = await tree.listing(base, { signal });
  const found = nestedSources(listing, pattern, excluded);
  if (found.length === 0 && !hasWildcard(word)) throw absent(options, word);
  return found.map(({ name, mode, digest, keeps }) => ({
    root: () => tree.directory(),
    path: posix.join(listing.path, name),
    name,
    isDirectory: isDirectory(mode),
    digest: namedDigest(name, digest),
    isRemote: false,
    isNested: true,
    keeps,
  }));
}

/** A file's name affects the layer, so it is part of the digest. */
const namedDigest = (name: string, digest: string): string =>
  createHash('sha256').update(`${name}\0${digest}`).digest('hex');
