import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { fetchRepository } from '@gantry/lib-archive/repository';
import { download } from '@gantry/lib-http';
import { Launcher } from '@gantry/lib-linux/launcher';
import type { NamedText } from '../contract/build-output.js';
import { parseGitUrl } from '../file/parse-git-url.js';
import { IgnoreFile } from '../ignore/ignore-file.js';
import { looksPacked } from './archive-file.js';
import { BuildContext, type ContextFiles } from './build-context.js';

/** Default names of the build file and of the ignore file, in order of precedence. */
const buildFileNames = ['Buildfile', 'Dockerfile', 'dockerfile'];
const ignoreFileNames = ['.engineignore', '.dockerignore'];

/** Largest build file at a URL, in bytes. */
const maxRemoteText = 16 * 2 ** 20;

export interface ContextSource {
  /** A tar, compressed or not. Consumed or destroyed. */
  readonly body: Readable;
  /** URL of the context; empty for the body. */
  readonly remote: string;
  /** Path of the build file in the context; empty for the default. */
  readonly buildFile: string;
  /** A build file from elsewhere. */
  readonly givenBuildFile?: NamedText | undefined;
}

export interface OpenContext {
  /** Released by the caller. */
  readonly context: BuildContext;
  readonly buildFile: NamedText;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Files of a context belong to root in images, whatever their owner at the source. */
const owner = { uid: 0, gid: 0 };

/** Brings the files of a build to this host. */
@injectable()
export class ContextOpener {
  readonly #archive: ArchiveDriver;
  readonly #directory: string;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) directories: PackageDirectories,
    @inject(Launcher.token) private readonly launcher: Launcher,
  ) {
    this.#archive = archives.get();
    this.#directory = join(directories.root, 'contexts');
  }

  /** Removes contexts of an earlier daemon. */
  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** On rejection nothing is left. */
  async open(source: ContextSource, options: Options): Promise<OpenContext> {
    let context = await BuildContext.create(this.#directory, this.#archive);
    try {
      let { buildFile } = source;
      if (source.remote === '') {
        const body = { stream: source.body, transferable: true };
        await this.#archive.extract(body, context.directory, '/', { ...options, owner });
      } else {
        source.body.resume();
        const git = parseGitUrl(source.remote);
        if (git !== undefined) {
          await fetchRepository(git, context.directory, { ...options, launcher: this.launcher });
          if (git.directory !== '') context = await context.subdirectory(git.directory);
        } else if (await this.#download(source.remote, context, options)) {
          buildFile = buildFileNames[0] ?? '';
        }
      }
      const text = source.givenBuildFile ?? (await readBuildFile(context, buildFile));
      const ignored = await firstText(context, [`${text.name}.dockerignore`, ...ignoreFileNames]);
      if (ignored !== undefined) await context.ignore(new IgnoreFile(ignored.text), options);
      return { context, buildFile: text };
    } catch (error) {
      await context.release();
      throw error;
    }
  }

  /** The files of a repository or of an archive at a URL. The caller releases them. */
  createRemote(url: string, options: Options): Promise<BuildContext> {
    return BuildContext.create(this.#directory, this.#archive, async (directory) => {
      const git = parseGitUrl(url);
      if (git === undefined) {
        const { body } = await download(url, options);
        await this.#archive.extract({ stream: body }, directory, '/', options);
        return;
      }
      if (git.directory !== '') throw invalidArgument(`${url}: a directory of a repository cannot be a named context`);
      await fetchRepository(git, directory, { ...options, launcher: this.launcher });
    });
  }

  /** A context whose files come as an archive when a step first needs one. The caller releases it. */
  create(archive: () => Readable, options: Options): Promise<BuildContext> {
    return BuildContext.create(this.#directory, this.#archive, async (directory) => {
      const source = { stream: archive(), compression: 'none' } as const;
      await this.#archive.extract(source, directory, '/', { ...options, owner });
    });
  }

  /** A context with its files in a directory that stays. The caller releases it. */
  createIn(directory: string, files: ContextFiles): Promise<BuildContext> {
    return BuildContext.createIn(directory, this.#directory, this.#archive, files);
  }

  /** A remote archive becomes the context, a text the build file. Resolves to whether it was a text. */
  async #download(url: string, context: BuildContext, options: Options): Promise<boolean> {
    const { body } = await download(url, options);
    const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const head: Buffer[] = [];
    let length = 0;
    while (length < 512) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      head.push(Buffer.from(value));
      length += value.length;
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      yield* head;
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
    };
    try {
      if (looksPacked(Buffer.concat(head))) {
        const stream = Readable.from(all(), { objectMode: false });
        await this.#archive.extract({ stream }, context.directory, '/', { ...options, owner });
        return false;
      }
      const text: Buffer[] = [];
      let total = 0;
      for await (const chunk of all()) {
        total += chunk.length;
        if (total > maxRemoteText) {
          throw invalidArgument(`remote: ${url} is neither an archive nor a file of instructions`);
        }
        text.push(chunk);
      }
      await writeFile(join(context.directory, buildFileNames[0] ?? ''), Buffer.concat(text));
      return true;
    } finally {
      body.destroy();
    }
  }
}

/** The first of the files that is there. All are looked for at once, but what is wrong with a later one does not matter. */
async function firstText(context: BuildContext, names: readonly string[]): Promise<NamedText | undefined> {
  const texts = await Promise.allSettled(names.map((name) => context.text(name)));
  for (const [index, name] of names.entries()) {
    const text = texts[index];
    if (text?.status === 'rejected') throw text.reason;
    if (text?.value !== undefined) return { name, text: text.value };
  }
  return undefined;
}

async function readBuildFile(context: BuildContext, name: string): Promise<NamedText> {
  if (name === '') {
    const found = await firstText(context, buildFileNames);
    if (found !== undefined) return found;
    throw invalidArgument(`Cannot locate specified Dockerfile: ${buildFileNames[1]} (or ${buildFileNames[0]})`);
  }
  if (/^(?:\/|\.\.(?:\/|$))/.test(name)) {
    throw invalidArgument(`Cannot locate specified Dockerfile: ${name} is not within the build context`);
  }
  const text = await context.text(name);
  if (text !== undefined) return { name, text };
  throw invalidArgument(`Cannot locate specified Dockerfile: ${name}`);
}
