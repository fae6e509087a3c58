import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DriverDefinition } from '@gantry/core/driver';

interface DriverManifest {
  readonly id: string;
  readonly provides: string;
  readonly export?: string;
}

interface PackageJson {
  readonly gantry?: { readonly driver?: DriverManifest; readonly drivers?: readonly DriverManifest[] };
  readonly main?: string;
  readonly exports?: unknown;
}

export interface LoadedDriver {
  readonly id: string;
  /** Such as `volume`. */
  readonly kind: string;
  readonly definition: DriverDefinition<unknown>;
}

/** Loads the drivers that a built package's manifest names. @throws Error in one line that says what is missing. */
export async function loadDrivers(directory: string): Promise<readonly LoadedDriver[]> {
  const file = join(resolve(directory), 'package.json');
  const { gantry, main, exports }: PackageJson = JSON.parse(await readFile(file, 'utf8'));
  const manifests = [...(gantry?.driver === undefined ? [] : [gantry.driver]), ...(gantry?.drivers ?? [])];
  if (manifests.length === 0) throw new Error(`${file} names no driver in "gantry"`);
  const entry = join(resolve(directory), entryOf(exports) ?? main ?? 'index.js');
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(entry).href);
  return manifests.map((manifest) => {
    const definition = module[manifest.export ?? 'default'] as DriverDefinition<unknown> | undefined;
    const kind = manifest.provides.split('/')[0] as string;
    if (definition?.provides === undefined) {
      throw new Error(`${entry} has no driver under "${manifest.export ?? 'default'}", which its manifest names`);
    }
    if (definition.id !== manifest.id || definition.provides.kind !== kind) {
      throw new Error(
        `the manifest says ${manifest.provides} "${manifest.id}", the code ${definition.provides.kind} "${definition.id}"`,
      );
    }
    return { id: manifest.id, kind, definition };
  });
}

/** The file behind the root of a package's exports. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const { '.': root, import: esm, default: any } = exports as Readonly<Record<string, unknown>>;
  return entryOf(root ?? esm ?? any);
}
