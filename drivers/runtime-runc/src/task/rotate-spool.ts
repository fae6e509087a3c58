import { link, readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable } from '@gantry/core/driver';
import { ifPresent } from '../if-present.js';
import { sendReopen } from '../monitor/control.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import type { Task } from './task.js';

/** Rotates the spools of tasks. */
@injectable()
export class RotateSpool {
  readonly #running = new WeakMap<Task, Promise<string | undefined>>();
  /** Tasks whose monitor was asked to reopen its spool and has not yet been seen to do it. */
  readonly #requested = new WeakSet<Task>();

  constructor(@inject(OperationDeadlines) private readonly deadlines: OperationDeadlines) {}

  /** @returns the path of the rotated file; undefined without a spool. Concurrent calls share one rotation. */
  rotate(task: Task): Promise<string | undefined> {
    const running = this.#running.get(task);
    if (running !== undefined) return running;
    const operation = { deadline: 'control', who: `the monitor of ${task.id}`, what: 'begin a new spool' } as const;
    const rotation = this.deadlines
      .run(operation, (signal) => this.#rotate(task, signal))
      .finally(() => this.#running.delete(task));
    this.#running.set(task, rotation);
    return rotation;
  }

  /**
   * Gives the spool a second name and has the monitor open a new file under the first. The monitor replaces the file
   * between two writes, so every line is in one of them, and at no time is there no spool.
   */
  async #rotate(task: Task, signal: AbortSignal): Promise<string | undefined> {
    const spool = task.record?.spool;
    if (spool === undefined) return undefined;
    const before = await ifPresent(stat(spool));
    if (before === undefined) return undefined;
    const rotated = await secondName(spool, before.ino);
    // An interrupted rotation is resumed, and not requested twice: the monitor may yet perform it.
    const isPending = rotated.existed && this.#requested.has(task);
    if (!rotated.existed) await link(spool, rotated.path);
    if (!isPending && task.isLiving && (await sendReopen(task.layout.control))) this.#requested.add(task);
    await replaced(task, spool, before.ino, signal);
    this.#requested.delete(task);
    return rotated.path;
  }
}

/** Resolves when the spool is another file, or when nothing will be written to it any more. */
async function replaced(task: Task, spool: string, inode: number, signal: AbortSignal): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    const isOver = !task.isLiving;
    const now = await ifPresent(stat(spool));
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
  if (last > 0 && (await ifPresent(stat(lastPath)))?.ino === inode) return { path: lastPath, existed: true };
  return { path: `${spool}.${last + 1}`, existed: false };
}
