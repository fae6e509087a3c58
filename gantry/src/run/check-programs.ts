import { accessSync, constants } from 'node:fs';

/** Where root's programs are, which a search path may lack. */
const systemFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Programs without which no container runs, with their Debian packages; of each line one is enough. */
const needed = [
  { programs: ['conmon'], debianPackage: 'conmon' },
  { programs: ['crun', 'runc'], debianPackage: 'runc' },
] as const;

/** @throws Error of one line that says what is missing, and how to install it. */
export function checkPrograms(searchPath: string = process.env.PATH ?? ''): void {
  const folders = [...new Set([...searchPath.split(':'), ...systemFolders])].filter((folder) => folder !== '');
  const missing = needed.filter(({ programs }) => !programs.some((program) => isInstalled(program, folders)));
  if (missing.length === 0) return;
  const names = missing.map(({ programs }) => programs.join(' or ')).join(' and ');
  const packages = missing.map(({ debianPackage }) => debianPackage).join(' ');
  throw new Error(`this host lacks ${names}: as root run "apt-get install ${packages}"`);
}

const isInstalled = (program: string, folders: readonly string[]): boolean =>
  folders.some((folder) => {
    try {
      accessSync(`${folder}/${program}`, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
