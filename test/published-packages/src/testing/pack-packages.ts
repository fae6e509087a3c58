import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

export interface PublishedPackage {
  readonly name: string;
  /** Of the package in the project. */
  readonly directory: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** What a release publishes: every package of the project that is not private. */
export async function publishedPackages(): Promise<readonly PublishedPackage[]> {
  const groups = ['drivers', 'plugins', 'test'];
  const members = await Promise.all(
    groups.map(async (group) => (await readdir(path.join(projectRoot, group))).map((name) => path.join(group, name))),
  );
  const found = await Promise.all(
    ['core', 'gantry', 'gantry-client', 'create-gantry-driver', ...members.flat()].map(async (folder) => {
      const directory = path.join(projectRoot, folder);
      const text = await readFile(path.join(directory, 'package.json'), 'utf8').catch(() => undefined);
      if (text === undefined) return []; // only ignored files of a package that was removed
      const manifest = JSON.parse(text) as { readonly name: string; readonly private?: boolean };
      return manifest.private === true ? [] : [{ name: manifest.name, directory, manifest }];
    }),
  );
  return found.flat();
}

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Of the tarball, in the directory they were packed into. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs packages as `npm publish` does. */
export async function packPackages(names: readonly string[], into: string): Promise<readonly PackedPackage[]> {
  const which = names.flatMap((name) => ['--workspace', name]);
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', into, ...which], {
    cwd: projectRoot,
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(stdout) as readonly PackedPackage[];
}
