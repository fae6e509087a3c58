import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { fetchRepository } from '@gantry/lib-archive/repository';
import { IgnoreFile } from '../ignore/ignore-file.js';
import { looksPacked } from './archive-file.js';
import { BuildContext } from './build-context.js';
import { download } from './download.js';
import { parseGitUrl } from './git.js';

/** Names of the file of instructions where the client gives none, and of the ignore file, best first. */
const instructionNames = ['Buildfile', 'Dockerfile', 'dockerfile'];
const ignoreNames = ['.engineignore', '.dockerignore'];

export interface ContextSource {
  /** A tar, compressed or not. Consumed or destroyed. */
  readonly body: Readable;
  /** Where to get the context instead; empty for the body. */
  readonly remote: string;
  /** Path of the instructions in the context; empty for the default. */
  readonly buildFile: string;
}

export interface OpenContext {
  /** To be released. */
  readonly context: BuildContext;
  readonly instructions: NamedText;
}

/** Brings the files of a build to this host. On rejection nothing is left. */
export async function openContext(
  source: ContextSource,
  parts: { readonly archive: ArchiveDriver; readonly directory: string },
  options: { readonly signal: AbortSignal },
): Promise<OpenContext> {
  let context = await BuildContext.make(parts.directory, parts.archive);
  try {
    let { buildFile } = source;
    if (source.remote === '') await parts.archive.extract({ stream: source.body }, context.directory, '/', options);
    else {
      source.body.resume();
      const git = parseGitUrl(source.remote);
      if (git !== undefined) {
        await fetchRepository(git, context.directory, options);
        if (git.directory !== '') context = await context.below(git.directory);
      } else if (await openRemote(source.remote, context, parts.archive, options))
        buildFile = instructionNames[0] ?? '';
    }
    const instructions = await readInstructions(context, buildFile);
    const ignored = await firstText(context, ignoreNames);
    if (ignored !== undefined) await context.ignore(new IgnoreFile(ignored.text), options);
    return { context, instructions };
  } catch (error) {
    await context.release();
    throw error;
  }
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

async function firstText(context: BuildContext, names: readonly string[]): Promise<NamedText | undefined> {
  for (const name of names) {
    const text = await context.text(name);
    if (text !== undefined) return { name, text };
  }
  return undefined;
}

async function readInstructions(context: BuildContext, name: string): Promise<NamedText> {
  if (name === '') {
    const found = await firstText(context, instructionNames);
    if (found !== undefined) return found;
    throw invalidArgument(`Cannot locate specified Dockerfile: ${instructionNames[1]} (or ${instructionNames[0]})`);
  }
  if (/^(?:\/|\.\.(?:\/|$))/.test(name)) {
    throw invalidArgument(`Cannot locate specified Dockerfile: ${name} is not within the build context`);
  }
  const text = await context.text(name);
  if (text !== undefined) return { name, text };
  throw invalidArgument(`Cannot locate specified Dockerfile: ${name}`);
}

/** A tarball becomes the context, and a text the instructions. @returns whether it was a text. */
async function openRemote(
  url: string,
  context: BuildContext,
  archive: ArchiveDriver,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  const { body } = await download(url, options);
  const pieces = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < 512) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    first.push(Buffer.from(value));
    length += value.length;
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield* first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  };
  try {
    if (looksPacked(Buffer.concat(first))) {
      await archive.extract({ stream: Readable.from(whole(), { objectMode: false }) }, context.directory, '/', options);
      return false;
    }
    const text: Buffer[] = [];
    let total = 0;
    for await (const piece of whole()) {
      total += piece.length;
      if (total > 16 * 2 ** 20)
        throw invalidArgument(`remote: ${url} is neither an archive nor a file of instructions`);
      text.push(piece);
    }
    await writeFile(join(context.directory, instructionNames[0] ?? ''), Buffer.concat(text));
    return true;
  } finally {
    body.destroy();
  }
}
