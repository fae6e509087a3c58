import { chmod, chown, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createConnection, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { conflict, invalidArgument } from '../../errors/engine-error.js';
import { type Bound, bind } from './bind.js';
import type { Endpoint } from './endpoint.js';

let sockets = 0;

/**
 * Listens at a path. The socket is made beside it and renamed into place with its mode and owner, so that no
 * client finds it open to others, or finds none while a stale one is replaced.
 */
export async function listenAtPath(server: Server, endpoint: Endpoint & { kind: 'unix' }): Promise<Bound> {
  const { path, mode = 0o660, group } = endpoint;
  const groupId = group === undefined ? undefined : await groupIdOf(group);
  await refuseTaken(path);
  await mkdir(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.${process.pid.toString(36)}-${sockets++}`);
  await rm(beside, { force: true });
  await bind(server, { path: beside }, path);
  try {
    await chmod(beside, mode);
    if (groupId !== undefined) await chown(beside, process.getuid?.() ?? 0, groupId);
    const { ino } = await lstat(beside);
    await rename(beside, path);
    return { address: path, release: () => removeOwn(path, ino) };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Another daemon may have taken the path over meanwhile; then it stays. */
async function removeOwn(path: string, ino: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.ino === ino) await rm(path, { force: true });
}

async function refuseTaken(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw conflict(`${path} exists and is not a socket`);
  if (await answers(path)) throw conflict(`${path} is served by another process`);
}

/** The socket file of a killed daemon refuses the connection. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN'));
  });
}

async function groupIdOf(group: string | number): Promise<number> {
  if (typeof group === 'number') return group;
  if (/^\d+$/.test(group)) return Number(group);
  for (const line of (await readFile('/etc/group', 'utf8')).split('\n')) {
    const [name, , id] = line.split(':');
    if (name === group && id !== undefined) return Number(id);
  }
  throw invalidArgument(`group: there is no group "${group}" on this host`);
}
