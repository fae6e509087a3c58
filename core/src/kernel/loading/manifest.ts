import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { EngineError, messageOf } from '../../errors/engine-error.js';
import { isRecord } from '../../values/is-record.js';

const DriverManifest = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
  provides: Type.String({ pattern: '^[a-z][a-z0-9-]*/[0-9]+\\.[0-9]+$' }),
  requires: Type.Optional(Type.Array(Type.String())),
  export: Type.Optional(Type.String()),
});
const PluginManifest = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
  export: Type.Optional(Type.String()),
});
const Manifest = Type.Object({
  driver: Type.Optional(DriverManifest),
  drivers: Type.Optional(Type.Array(DriverManifest)),
  plugin: Type.Optional(PluginManifest),
});

export type DriverManifest = Static<typeof DriverManifest>;
type PluginManifest = Static<typeof PluginManifest>;

/** What a package says of itself, read before any of its code runs. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** Directory of its package.json. */
  readonly directory: string;
  /** The file that importing the package's root loads, relative to the directory. */
  readonly entry: string;
  readonly drivers: readonly DriverManifest[];
  readonly plugin: PluginManifest | undefined;
}

interface PackageJson {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly main?: string;
  readonly exports?: unknown;
  readonly gantry?: unknown;
}

/**
 * Finds a package, by name or path, and reads its manifest.
 * @throws EngineError `invalid-argument`, one line naming the package and what to do.
 */
export async function readManifest(specifier: string, from: string): Promise<PackageManifest> {
  const directory = findPackage(specifier, from);
  const file = path.join(directory, 'package.json');
  let json: PackageJson;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new EngineError('invalid-argument', `package ${specifier}: cannot read ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const manifest = json.gantry;
  if (manifest === undefined) {
    throw new EngineError('invalid-argument', `package ${specifier}: its package.json has no "gantry" manifest`);
  }
  const fault = Value.Errors(Manifest, manifest).First();
  if (fault !== undefined) {
    const place = `gantry${fault.path.replaceAll('/', '.')}`;
    throw new EngineError(
      'invalid-argument',
      `package ${specifier}: ${place} in its package.json is ${JSON.stringify(fault.value) ?? 'missing'}: ${fault.message}`,
    );
  }
  const { driver, drivers = [], plugin } = manifest as Static<typeof Manifest>;
  return {
    name: typeof json.name === 'string' ? json.name : specifier,
    version: typeof json.version === 'string' ? json.version : '0.0.0',
    directory,
    entry: entryOf(json) ?? './index.js',
    drivers: driver === undefined ? drivers : [driver, ...drivers],
    plugin,
  };
}

/** Whether a package is found from a directory. A path is looked for nowhere else. */
export const isInstalled = (specifier: string, from: string): boolean => directoryOf(specifier, from) !== undefined;

function findPackage(specifier: string, from: string): string {
  const directory = directoryOf(specifier, from);
  if (directory !== undefined) return directory;
  throw new EngineError(
    'invalid-argument',
    `package ${specifier} is not installed: run "npm install ${specifier}" in ${from}, or take it out of "packages"`,
  );
}

function directoryOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.') || path.isAbsolute(specifier)) return path.resolve(from, specifier);
  const require = createRequire(path.join(from, 'noop.js'));
  for (const directory of require.resolve.paths(specifier) ?? []) {
    const candidate = path.join(directory, specifier);
    try {
      return path.dirname(require.resolve(path.join(candidate, 'package.json')));
    } catch {
      // not in this directory; the next one up may have it
    }
  }
  return undefined;
}

function entryOf(json: PackageJson): string | undefined {
  const { exports, main } = json;
  const root = isRecord(exports) && '.' in exports ? exports['.'] : exports;
  if (typeof root === 'string') return root;
  if (!isRecord(root)) return main;
  const entry = root.import ?? root.default;
  return typeof entry === 'string' ? entry : main;
}
