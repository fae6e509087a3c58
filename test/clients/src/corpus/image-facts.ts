import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';

/** What of an image has to be the same on every engine. */
export interface ImageFacts {
  readonly config: Readonly<Record<string, unknown>>;
  /** Mode, owner and content by path. */
  readonly files: Readonly<Record<string, string>>;
}

const compared = [
  'Cmd',
  'Entrypoint',
  'Env',
  'ExposedPorts',
  'Healthcheck',
  'Labels',
  'OnBuild',
  'Shell',
  'StopSignal',
  'User',
  'Volumes',
  'WorkingDir',
] as const;

/** What engines put into containers, and the programs of the base. */
const ignored = /^(?:\.dockerenv|bin|dev|proc|sys|etc\/(?:hostname|hosts|mtab|resolv\.conf))(?:\/|$)/;

export async function readImageFacts(client: Docker, image: string): Promise<ImageFacts> {
  const { Config } = await client.getImage(image).inspect();
  const config = Object.fromEntries(
    compared
      .map((name) => [name, (Config as Record<string, unknown>)[name]] as const)
      .filter(([, value]) => !isEmpty(value)),
  );
  return { config, files: await readFiles(client, image) };
}

const isEmpty = (value: unknown): boolean =>
  !value || value === '/' || (typeof value === 'object' && Object.keys(value).length === 0);

async function readFiles(client: Docker, image: string): Promise<Readonly<Record<string, string>>> {
  const container = await client.createContainer({ Image: image, Cmd: ['none'], Entrypoint: [] });
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-corpus-'));
  try {
    const tar = spawn('tar', ['--extract', '--numeric-owner', '--preserve-permissions', '--directory', directory], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const ended = once(tar, 'exit');
    await pipeline(await container.export(), tar.stdin);
    await ended;
    const files: Record<string, string> = {};
    for (const name of (await readdir(directory, { recursive: true })).sort()) {
      if (!ignored.test(name)) files[name] = await describe(path.join(directory, name));
    }
    return files;
  } finally {
    await container.remove();
    await rm(directory, { recursive: true });
  }
}

async function describe(file: string): Promise<string> {
  const status = await lstat(file);
  const owner = `${(status.mode & 0o7777).toString(8)} ${status.uid}:${status.gid}`;
  if (status.isDirectory()) return `${owner} directory`;
  if (status.isSymbolicLink()) return `link to ${await readlink(file)}`;
  if (!status.isFile()) return `${owner} special`;
  const content = await readFile(file);
  const isText = content.length < 200 && /^[\x20-\x7e\n\t]*$/.test(content.toString('latin1'));
  return `${owner} ${isText ? JSON.stringify(content.toString()) : createHash('sha256').update(content).digest('hex')}`;
}
