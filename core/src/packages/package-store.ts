import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { internal, invalidArgument } from '../errors/engine-error.js';
import { pathExists } from '../files/path-exists.js';
import { readManifest } from '../kernel/loading/manifest.js';
import { runNpm } from './run-npm.js';
import { syncTree } from './sync-tree.js';

/** A package that was installed beside the configuration. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** What the configuration calls it: a path relative to its file. */
  readonly entry: string;
}

const directoryName = 'gantry-packages';

/**
 * A directory is copied, not linked. The daemon supplies `@gantry/core`, a peer dependency that may be in no registry, and
 * what a package is tested with is no use here.
 */
const flags = ['--install-links', '--legacy-peer-deps', '--omit=dev', '--no-audit', '--no-fund'];

/** Of an installation under way, with the id of the process that makes it. */
const draftPattern = /^\.new-(\d+)-/;

/**
 * The packages that commands have installed beside a configuration file: each installation in a directory of its own that
 * is never changed, so that versions of one package can be loaded side by side. Those that the configuration does not
 * name are removed when the daemon starts.
 */
export class PackageStore {
  readonly #directory: string;

  /** @param besides the directory of the configuration file. */
  constructor(private readonly besides: string) {
    this.#directory = path.join(besides, directoryName);
  }

  /**
   * Installs a package as `npm install` does: from a registry by `name@version`, from a directory or an archive by its
   * path. On rejection nothing of it is left.
   */
  async install(specifier: string, from: string): Promise<InstalledPackage> {
    if (specifier === '' || specifier.startsWith('-')) {
      throw invalidArgument(`package "${specifier}": a name, name@version or path is wanted`);
    }
    const draft = path.join(this.#directory, `.new-${process.pid}-${randomBytes(4).toString('hex')}`);
    await mkdir(draft, { recursive: true });
    try {
      await writeFile(path.join(draft, 'package.json'), '{ "private": true }\n');
      const local = path.resolve(from, specifier);
      const source = (await pathExists(local)) ? local : specifier;
      await runNpm(['install', ...flags, source], draft);
      const name = await nameIn(draft);
      const { version } = await readManifest(name, draft);
      await syncTree(draft);
      // Never the name of one that was there before: what Node has imported from a place, it does not import again.
      const directory = `${name.replace('/', '+')}@${version}-${randomBytes(4).toString('hex')}`;
      await rename(draft, path.join(this.#directory, directory));
      return { name, version, entry: `./${path.join(directoryName, directory, 'node_modules', name)}` };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes an installation that nothing has loaded. */
  async discard({ entry }: InstalledPackage): Promise<void> {
    await rm(path.join(this.#directory, directoryOf(entry)), { recursive: true, force: true });
  }

  /** Removes what these entries of the configuration do not name, and what a command that was killed left. */
  async removeUnused(entries: readonly string[]): Promise<void> {
    const used = new Set(
      entries.map((entry) => path.relative(this.#directory, path.resolve(this.besides, entry)).split(path.sep)[0]),
    );
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const draft = draftPattern.exec(name);
      if (used.has(name) || (draft !== null && isAlive(Number(draft[1])))) continue;
      await rm(path.join(this.#directory, name), { recursive: true, force: true });
    }
  }
}

/** The first part of an entry's path below the store. */
const directoryOf = (entry: string): string => {
  const [, , name] = entry.split('/');
  if (name === undefined) throw internal(`${entry} is not in ${directoryName}`);
  return name;
};

/** What npm has recorded as installed. */
async function nameIn(directory: string): Promise<string> {
  const json = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const [name] = Object.keys(json.dependencies ?? {});
  if (name === undefined) throw internal('npm has installed no package');
  return name;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
