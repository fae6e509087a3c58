import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { TaskExit } from '@gantry/core/contracts';
import { ifThere } from '../errno.js';
import type { TaskLayout } from '../layout.js';

/** The exit of a task as it is on disk. Undefined when none is. */
export async function readExit(id: string, layout: TaskLayout): Promise<TaskExit | undefined> {
  const recorded = await readCode(layout.exit);
  if (recorded !== undefined) return { id, ...recorded, oomKilled: await ranOutOfMemory(layout) };
  const lost = await ifThere(readFile(layout.lost, 'utf8'));
  if (lost === undefined) return undefined;
  const exitedAt = (await stat(layout.lost)).mtime;
  return { id, exitCode: 255, exitedAt, oomKilled: await ranOutOfMemory(layout), lost };
}

/** Records that nobody knows the exit code, for this daemon and the next. */
export async function writeLostExit(layout: TaskLayout, reason: string): Promise<void> {
  const draft = `${layout.lost}.tmp`;
  await writeFile(draft, reason);
  await rename(draft, layout.lost);
}

/** Takes the monitor's word that memory ran out, so that it can give it again. @returns whether there was one. */
export async function takeOom(layout: TaskLayout): Promise<boolean> {
  const taken = await ifThere(rename(layout.oom, layout.oomSeen).then(() => true));
  return taken ?? false;
}

async function readCode(file: string): Promise<Pick<TaskExit, 'exitCode' | 'exitedAt'> | undefined> {
  const text = await ifThere(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  const code = Number(text.trim());
  const exitCode = Number.isInteger(code) && code >= 0 && code <= 255 ? code : 255;
  return { exitCode, exitedAt: (await stat(file)).mtime };
}

async function ranOutOfMemory(layout: TaskLayout): Promise<boolean> {
  const found = await Promise.all([layout.oom, layout.oomSeen].map((file) => ifThere(stat(file))));
  return found.some((status) => status !== undefined);
}
