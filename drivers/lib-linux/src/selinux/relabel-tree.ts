import { lstat, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../errors/linux-error.js';
import { getAttribute, setAttribute } from '../files/extended-attributes.js';

const attribute = 'security.selinux';

/** Attributes are set by calls that block; after so many, others have their turn. */
const batch = 500;

/** The kernel ends contexts with a zero byte when it stores them by itself. */
const attributeOf = (context: string): Buffer => Buffer.from(`${context}\0`);

/** See `SELinux.relabel`. */
export async function relabelTree(path: string, context: string): Promise<void> {
  const root = await realpath(path);
  await relabelBelow(root, attributeOf(context));
  setContext(root, attributeOf(context));
}

/** See `SELinux.relabelOnce`. The directory itself is the last to be relabelled, so that it marks the end. */
export async function relabelOnce(directory: string, context: string): Promise<void> {
  if (getAttribute(directory, attribute)?.equals(attributeOf(context)) === true) return;
  await relabelTree(directory, context);
}

async function relabelBelow(root: string, value: Buffer): Promise<void> {
  let count = 0;
  const pending = [root];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (place !== root) setContext(place, value);
    count += 1;
    if (count % batch === 0) await delay(0);
    const found = await lstat(place).catch(ignoreAbsent);
    if (found?.isDirectory() !== true) continue;
    const entries = await opendir(place).catch(ignoreAbsent);
    if (entries === undefined) continue;
    for await (const { name } of entries) pending.push(join(place, name));
  }
}

function setContext(path: string, value: Buffer): void {
  try {
    if (getAttribute(path, attribute)?.equals(value) !== true) setAttribute(path, attribute, value);
  } catch (error) {
    // Removed meanwhile, or on a file system or mount that has one context for all files.
    if (!isErrno(error, 'ENOENT', 'ENOTSUP', 'EOPNOTSUPP')) throw error;
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT')) throw error;
}
