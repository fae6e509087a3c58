import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { resolveUser } from '@gantry/containers/service';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { findBase } from '../base-image.js';
import type { Build } from '../build.js';
import { expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { openImageRoot } from '../root.js';
import { type StageState, shellOf, variablesOf } from '../stage-state.js';
import { type CopySource, findSources } from './copy-sources.js';
import { placeSources } from './place-sources.js';

/** COPY and ADD: files of the context, of another image or stage, or of a URL become a layer. */
export async function copy(build: Build, state: StageState, instruction: Instruction): Promise<void> {
  const { keyword, words, flags } = instruction;
  const expand = (word: string): string => expandWord(word, variablesOf(state), build.escapeMark);
  const paths = words.map(expand);
  const written = paths.at(-1) ?? '';
  const from = flags.get('from') || undefined;
  const owner = expand(flags.get('chown') ?? '') || undefined;
  const tree = from === undefined ? build.ownTree : build.treeOf(await imageNamed(build, expand(from)));
  const sources = await findSources(build, keyword, paths.slice(0, -1), { tree, takesUrls: keyword === 'ADD' });
  const place = absolutePlace(state.config.WorkingDir ?? '/', written);
  if (sources.length > 1 && !place.endsWith('/')) {
    throw invalidArgument(
      `When using ${keyword} with more than one source file, the destination must be a directory and end with a /`,
    );
  }
  const chown = owner === undefined ? '' : `--chown=${owner} `;
  const command = [...shellOf(state), `#(nop) ${keyword} ${chown}${summaryOf(sources)} in ${written} `];
  if (await build.reuse(state, command)) return;
  const target = await openImageRoot(build.parts, state.imageId);
  try {
    // Files of the context belong to nobody here; those of an image keep their owners.
    const root = { uid: 0, gid: 0 };
    const ids = owner !== undefined ? await idsOf(target.directory, owner) : from === undefined ? root : undefined;
    const placement = { root: target.directory, place, unpacks: keyword === 'ADD', ...(ids && { owner: ids }) };
    await placeSources(build, sources, placement);
    const layer = await build.parts.storage.diff(target.id, { signal: build.signal });
    await build.make(state, { command, layer });
  } finally {
    await target.release();
  }
  await build.tellImage(state);
}

/** Slashes at the end are kept: they say that it is a directory. */
function absolutePlace(workingDirectory: string, written: string): string {
  const place = posix.join(workingDirectory === '' ? '/' : workingDirectory, '/', '.');
  const path = posix.isAbsolute(written) ? posix.normalize(written) : posix.join(place, written);
  return /(?:^|\/)\.?$/.test(written) && !path.endsWith('/') ? `${path}/` : path;
}

function summaryOf(sources: readonly CopySource[]): string {
  const [first] = sources;
  if (sources.length === 1 && first !== undefined) return `${first.isDirectory ? 'dir' : 'file'}:${first.digest}`;
  const hash = createHash('sha256');
  for (const { digest } of sources) hash.update(digest);
  return `multi:${hash.digest('hex')}`;
}

/** `user`, `user:group` or numbers; a user alone stands for the group of that name, too. */
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

/** A stage by name or number, else an image, which is pulled when it is not here. */
async function imageNamed(build: Build, from: string): Promise<string> {
  const byName = build.stages.find(({ name }) => name === from.toLowerCase());
  const stage = byName ?? (/^\d+$/.test(from) ? build.stages[Number(from)] : undefined);
  if (stage !== undefined) {
    const { imageId } = stage.state;
    if (imageId !== undefined) return imageId;
    throw invalidArgument(`invalid from flag value ${from}: the stage has no files`);
  }
  if (/^\d+$/.test(from)) throw invalidArgument(`invalid from flag value ${from}: there is no such stage before`);
  return findBase(build, from);
}
