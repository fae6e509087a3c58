import { link, readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ifThere } from '../errno.js';
import { sendReopen } from '../monitor/control.js';
import type { Task } from './task.js';

/**
 * Gives the spool a second name and has the monitor put a new file in the place of the first. The monitor replaces the
 * file between two writes, so every line is in one of them, and at no time is there no spool.
 */
export async function rotateSpool(task: Task, signal: AbortSignal): Promise<string | undefined> {
  const spool = task.record?.spool;
  if (spool === undefined) return undefined;
  const before = await ifThere(stat(spool));
  if (before === undefined) return undefined;
  const rotated = await secondName(spool, before.ino);
  // A rotation that was cut, or given up on, is taken up again and not asked for twice: the monitor may yet do it.
  const isPending = rotated.existed && task.rotationAsked;
  if (!rotated.existed) await link(spool, rotated.path);
  if (!isPending && task.isLiving) task.rotationAsked = await sendReopen(task.layout.control);
  await replaced(task, spool, before.ino, signal);
  task.rotationAsked = false;
  return rotated.path;
}

/** Resolves when the spool is another file, or when nothing will be written to it any more. */
async function replaced(task: Task, spool: string, inode: number, signal: AbortSignal): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    const isOver = !task.isLiving;
    const now = await ifThere(stat(spool));
    if (now !== undefined && now.ino !== inode) return;
    if (isOver) {
      if (now !== undefined) await unlink(spool);
      return;
    }
    await delay(pause, undefined, { signal });
  }
}

/** The name `SPOOL.N` that the file has already, or the next that is free. */
async function secondName(spool: string, inode: number): Promise<{ readonly path: string; readonly existed: boolean }> {
  const prefix = `${basename(spool)}.`;
  const names = await readdir(dirname(spool));
  const numbers = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((suffix) => /^\d+$/.test(suffix))
    .map(Number);
  const last = Math.max(0, ...numbers);
  const lastPath = `${spool}.${last}`;
  if (last > 0 && (await ifThere(stat(lastPath)))?.ino === inode) return { path: lastPath, existed: true };
  return { path: `${spool}.${last + 1}`, existed: false };
}
