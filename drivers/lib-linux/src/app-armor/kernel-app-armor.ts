import { readFile } from 'node:fs/promises';
import { isErrno } from '../errors/linux-error.js';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import type { AppArmor } from './app-armor.js';

export const parser = 'apparmor_parser';
export const profilesFile = '/sys/kernel/security/apparmor/profiles';

async function profiles(): Promise<ReadonlySet<string>> {
  return parseProfiles(await textOf(profilesFile));
}

/** Each line is `name (mode)`; names may contain blanks. */
export function parseProfiles(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^(.+) \(\w+\)$/gm)].map(([, name = '']) => name));
}

async function load(text: string): Promise<void> {
  // The cache of compiled profiles is the host's own.
  const { code, stderr } = await new SpawnLauncher().run(parser, ['--replace', '--skip-cache'], {
    input: Buffer.from(text),
  });
  if (code !== 0) throw new Error(`${parser}: ${Buffer.from(stderr).toString().trim() || `exit code ${code}`}`);
}

/** The text of a file of the kernel. Absent, or not for this process: empty. */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return '';
    throw error;
  }
}

export const kernelAppArmor: AppArmor = { profiles, load };
