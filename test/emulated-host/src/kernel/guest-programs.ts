import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.js';

/** Services that hosts of containers have, and that the machine with the tests need not have. */
const packages = ['firewalld', 'ufw', 'nfs-kernel-server', 'ksmbd-tools', 'systemd-resolved', 'secilc'];

/** One directory for each set of versions. Deleting it fetches the packages again. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gantry', 'programs');

/** Debian has merged these into /usr, and its older packages have not. */
const merged = ['bin', 'sbin', 'lib', 'lib64'];

/**
 * A tree with the packages that guests have beyond the programs of this machine, and with those that they depend on and
 * that this machine lacks. They are of this machine's release, whose libraries they need, and are unpacked without their
 * scripts.
 */
export async function guestPrograms(): Promise<string> {
  const plan = await runProgram('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages]);
  const missing = [...plan.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
    ([, name, version]) => `${name}=${version}`,
  );
  const directory = join(cache, createHash('sha256').update(missing.join('\n')).digest('hex').slice(0, 12));
  const entries = await readdir(directory).catch(() => undefined);
  if (entries === undefined) await fetchPrograms(missing, directory);
  return directory;
}

/** Complete once it has its name, so that an interrupted fetch is not used. */
async function fetchPrograms(missing: readonly string[], directory: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    const [archives, tree] = [join(draft, 'archives'), join(draft, 'tree')];
    await mkdir(archives);
    await mkdir(tree, { mode: 0o755 });
    if (missing.length > 0)
      await runProgram('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...missing], archives);
    for (const archive of await readdir(archives)) await runProgram('dpkg', ['-x', join(archives, archive), tree]);
    for (const name of merged) await mergeIntoUsr(tree, name);
    await rename(tree, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Above a tree in which `name` is a link to `usr/name`, a directory of that name would hide everything below it. */
async function mergeIntoUsr(tree: string, name: string): Promise<void> {
  const source = join(tree, name);
  if ((await readdir(source).catch(() => undefined)) === undefined) return;
  await mkdir(join(tree, 'usr', name), { recursive: true });
  await runProgram('cp', ['-a', `${source}/.`, join(tree, 'usr', name)]);
  await rm(source, { recursive: true });
}
