import path from 'node:path';
import type { Configuration } from '../configuration/read-configuration.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import { isInstalled, type PackageManifest, readManifest } from '../kernel/loading/manifest.js';

/** A package that a configuration names. */
export interface ConfiguredPackage {
  readonly list: 'packages' | 'extraPackages';
  /** Its place in the list. */
  readonly index: number;
  readonly manifest: PackageManifest;
}

/** The packages of a configuration that are installed, whether they can be loaded or not. */
export async function configuredPackages({
  config,
  from,
  extraFrom,
}: Configuration): Promise<readonly ConfiguredPackage[]> {
  const { packages, extraPackages } = parseKernelConfig(config);
  const entries = [
    ...packages.map((entry, index) => ({ list: 'packages' as const, index, entry, first: from })),
    ...extraPackages.map((entry, index) => ({ list: 'extraPackages' as const, index, entry, first: extraFrom })),
  ];
  const found = await Promise.all(
    entries.map(async ({ list, index, entry, first }): Promise<readonly ConfiguredPackage[]> => {
      const specifier = typeof entry === 'string' ? entry : entry.package;
      const place = isInstalled(specifier, path.resolve(first)) ? first : from;
      try {
        return [{ list, index, manifest: await readManifest(specifier, path.resolve(place)) }];
      } catch {
        // Loading it says what is wrong with it.
        return [];
      }
    }),
  );
  return found.flat();
}

/** The names of what a package holds, such as `volume/nfs`, by the table of the configuration that has their sections. */
export function unitNames({ drivers, plugin }: PackageManifest): {
  readonly drivers: string[];
  readonly plugins: string[];
} {
  return {
    drivers: drivers.map(({ id, provides }) => `${provides.split('/')[0]}/${id}`),
    plugins: plugin === undefined ? [] : [plugin.id],
  };
}
