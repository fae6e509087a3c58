import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { resolveUser } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { expandHeredoc, expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { ImageRoots } from '../images/image-roots.js';
import type { BuildSession } from '../session/build-session.js';
import { SourceImages } from '../sources/source-images.js';
import { type StageState, shellOf, variablesOf } from '../stage/stage-state.js';
import { copyHistory } from './buildkit-history.js';
import { parsePermissions } from './file-permissions.js';
import { FilePlacer } from './file-placer.js';
import { type CopySource, SourceFinder } from './source-finder.js';
import type { Step } from './step.js';
import { StepImages } from './step-images.js';

/** COPY and ADD: files of the context, of another image or stage, or of a URL become a layer. */
@injectable()
export class CopyStep implements Step {
  constructor(
    @inject(StepImages) private readonly images: StepImages,
    @inject(ImageRoots) private readonly roots: ImageRoots,
    @inject(SourceImages) private readonly sourceImages: SourceImages,
    @inject(SourceFinder) private readonly sources: SourceFinder,
    @inject(FilePlacer) private readonly placer: FilePlacer,
  ) {}

  async run(session: BuildSession, state: StageState, instruction: Instruction): Promise<void> {
    const { keyword, words, flags, heredocs } = instruction;
    const expand = (word: string): string => expandWord(word, variablesOf(state), session.escapeMark);
    const paths = words.map(expand);
    const written = paths.at(-1) ?? '';
    const from = flags.get('from') || undefined;
    const owner = expand(flags.get('chown') ?? '') || undefined;
    const chmod = expand(flags.get('chmod') ?? '');
    const permissions = chmod === '' ? undefined : parsePermissions(chmod);
    const excluded = (flags.get('exclude') ?? '')
      .split('\n')
      .map(expand)
      .filter((pattern) => pattern !== '');
    const nests = isOn(flags.get('parents'));
    const tree = await this.sourceImages.tree(session, state, from === undefined ? '' : expand(from));
    const sources = await this.sources.find(session, paths.slice(0, -1), {
      keyword,
      tree,
      followsBuildKit: session.request.followsBuildKit,
      output: state.output,
      heredocs: heredocs.map((heredoc) => ({
        ...heredoc,
        word: expand(heredoc.word),
        content: heredoc.expands
          ? expandHeredoc(heredoc.content, variablesOf(state), session.escapeMark)
          : heredoc.content,
      })),
      checksum: expand(flags.get('checksum') ?? ''),
      excluded,
      nests,
      keepsGitDirectory: isOn(flags.get('keep-git-dir')),
    });
    const destination = absolutePath(state.config.WorkingDir ?? '/', written);
    if (sources.length > 1 && !destination.endsWith('/') && !session.request.followsBuildKit) {
      throw invalidArgument(
        `When using ${keyword} with more than one source file, the destination must be a directory and end with a /`,
      );
    }
    const chown = owner === undefined ? '' : `--chown=${owner} `;
    const shown = [
      chown,
      chmod === '' ? '' : `--chmod=${/^[0-7]+$/.test(chmod) ? Number.parseInt(chmod, 8).toString(8) : chmod} `,
      nests ? '--parents ' : '',
      unpackFlag(flags),
    ].join('');
    const command = [...shellOf(state), `#(nop) ${keyword} ${shown}${summaryOf(sources)} in ${written} `];
    if (await this.images.reuse(session, state, command)) return;
    const names = heredocs.map((heredoc) => `<<${heredoc.name}`);
    const history = copyHistory({
      keyword,
      flags: [
        ...(nests ? ['--parents'] : []),
        ...(owner === undefined ? [] : [`--chown=${owner}`]),
        ...(chmod === '' ? [] : [`--chmod=${chmod}`]),
      ],
      paths: [...paths.slice(0, -1).filter((path) => !path.startsWith('<<')), ...names, written],
    });
    if (sources.length === 0) {
      await this.images.make(session, state, { command, history });
      await this.images.print(state);
      return;
    }
    const root = await this.roots.open(state.imageId);
    try {
      // Else files keep their owners, which in a context are root.
      const ids = owner === undefined ? undefined : await idsOf(root.directory, owner);
      const placement = {
        root,
        destination,
        unpacks: keyword === 'ADD' ? unpackingOf(flags) : ('none' as const),
        permissions,
        ...(ids && { owner: ids }),
      };
      const layer = await this.placer.place(sources, placement, { signal: session.signal });
      await this.images.make(session, state, { command, history, layer });
    } finally {
      session.runInBackground(root.release());
    }
    await this.images.print(state);
  }
}

/** The destination in the image; a trailing slash marks a directory. */
function absolutePath(workingDirectory: string, written: string): string {
  const base = posix.join(workingDirectory === '' ? '/' : workingDirectory, '/', '.');
  const path = posix.isAbsolute(written) ? posix.normalize(written) : posix.join(base, written);
  return /(?:^|\/)\.?$/.test(written) && !path.endsWith('/') ? `${path}/` : path;
}

function summaryOf(sources: readonly CopySource[]): string {
  const [first] = sources;
  if (sources.length === 1 && first !== undefined) return `${first.isDirectory ? 'dir' : 'file'}:${first.digest}`;
  const hash = createHash('sha256');
  for (const { digest } of sources) hash.update(digest);
  return `multi:${hash.digest('hex')}`;
}

/** `user`, `user:group` or numbers; a user alone means the group of that name, too. */
async function idsOf(rootfs: string, owner: string): Promise<{ readonly uid: number; readonly gid: number }> {
  const text = owner.includes(':') ? owner : `${owner}:${owner}`;
  try {
    if (text.split(':').length > 2) throw invalidArgument(`invalid chown string format: ${owner}`);
    const { uid, gid } = await resolveUser(rootfs, text, []);
    return { uid, gid };
  } catch (cause) {
    const reason = `unable to convert uid/gid chown string to host mapping: ${messageOf(cause)}`;
    throw invalidArgument(reason, { cause });
  }
}

/** A flag that may be written without a value. */
const isOn = (value: string | undefined): boolean => value !== undefined && parseBoolean(value);

function parseBoolean(text: string): boolean {
  if (/^(?:|1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw invalidArgument(`expecting boolean value for a flag, not: ${text}`);
}

/** Which archives ADD extracts: local ones, unless `--unpack` says otherwise. */
function unpackingOf(flags: ReadonlyMap<string, string>): 'local' | 'all' | 'none' {
  if (!flags.has('unpack')) return 'local';
  return isOn(flags.get('unpack')) ? 'all' : 'none';
}

const unpackFlag = (flags: ReadonlyMap<string, string>): string =>
  flags.has('unpack') ? `--unpack=${isOn(flags.get('unpack'))} ` : '';
