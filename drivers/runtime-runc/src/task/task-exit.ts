import { readFile, rename, stat } from 'node:fs/promises';
import type { TaskExit } from '@gantry/core/contracts';
import { replaceFile } from '@gantry/core/driver';
import { ifPresent } from '../if-present.js';
import type { TaskLayout } from '../layout.js';

/** The exit of a task as it is on disk. Undefined when none is. */
export async function readExit(id: string, layout: TaskLayout): Promise<TaskExit | undefined> {
  const [code, lost, oomKilled] = await Promise.all([
    readDated(layout.exit),
    readDated(layout.lost),
    ranOutOfMemory(layout),
  ]);
  if (code !== undefined) return { id, exitCode: parseCode(code.text), exitedAt: code.at, oomKilled };
  if (lost !== undefined) return { id, exitCode: 255, exitedAt: lost.at, oomKilled, lost: lost.text };
  return undefined;
}

/** Records, for this daemon and the next, that the exit code is lost. */
export const writeLostExit = (layout: TaskLayout, reason: string): Promise<void> => replaceFile(layout.lost, reason);

/** Consumes the monitor's report that memory ran out, so that it can report again. @returns whether there was one. */
export async function takeOom(layout: TaskLayout): Promise<boolean> {
  const taken = await ifPresent(rename(layout.oom, layout.oomSeen).then(() => true));
  return taken ?? false;
}

/** Files here are put in place whole, so that both reads are of the same. */
async function readDated(file: string): Promise<{ readonly text: string; readonly at: Date } | undefined> {
  const [text, status] = await Promise.all([ifPresent(readFile(file, 'utf8')), ifPresent(stat(file))]);
  return text === undefined || status === undefined ? undefined : { text, at: status.mtime };
}

function parseCode(text: string): number {
  const code = Number(text.trim());
  return Number.isInteger(code) && code >= 0 && code <= 255 ? code : 255;
}

async function ranOutOfMemory(layout: TaskLayout): Promise<boolean> {
  const found = await Promise.all([layout.oom, layout.oomSeen].map((file) => ifPresent(stat(file))));
  return found.some((status) => status !== undefined);
}
