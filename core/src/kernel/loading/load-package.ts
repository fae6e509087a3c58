import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EngineError, messageOf } from '../../errors/engine-error.js';
import { importModule } from '../../supply/supply-core.js';
import { isRecord } from '../../values/is-record.js';
import type { DriverDefinition } from '../definitions/driver.js';
import type { PluginDefinition } from '../definitions/plugin.js';
import { driverUnit, pluginUnit, type Unit } from '../units/unit.js';
import { type DriverManifest, type PackageManifest, readManifest } from './manifest.js';

/** Packages whose code is also somewhere else, where it loads faster. */
export interface Bundle {
  /** The URLs to import instead of the packages' own entries, by name. */
  readonly entries: ReadonlyMap<string, string>;
  /** The bundle was made of the packages that are found from here. */
  readonly directory: string;
}

/**
 * Reads a package's manifest, imports it and compares the two.
 * @throws EngineError `invalid-argument`, one line naming the package and both sides of a disagreement.
 */
export async function loadPackage(
  specifier: string,
  from: string,
  optional: boolean,
  bundle?: Bundle,
): Promise<readonly Unit[]> {
  const manifest = await readManifest(specifier, from);
  const url = (bundle && (await bundledEntry(manifest, from, bundle))) ?? urlOf(manifest);
  const exported = await importPackage(manifest, url);
  const units: Unit[] = manifest.drivers.map((declared) => {
    const name = declared.export ?? 'default';
    const definition = exported[name];
    if (!isDriverDefinition(definition)) {
      throw new EngineError(
        'invalid-argument',
        `package ${manifest.name}: its export "${name}" is no driver definition`,
      );
    }
    checkDriver(manifest, declared, definition);
    return driverUnit(definition, manifest, optional, { module: url, export: name });
  });
  if (manifest.plugin !== undefined) {
    const name = manifest.plugin.export ?? 'default';
    const definition = exported[name];
    if (!isPluginDefinition(definition)) {
      throw new EngineError(
        'invalid-argument',
        `package ${manifest.name}: its export "${name}" is no plugin definition`,
      );
    }
    if (definition.id !== manifest.plugin.id) {
      throw new EngineError(
        'invalid-argument',
        `package ${manifest.name}: its manifest says plugin "${manifest.plugin.id}", its code says "${definition.id}"`,
      );
    }
    units.push(pluginUnit(definition, manifest, optional));
  }
  return units;
}

const urlOf = (manifest: PackageManifest): string => pathToFileURL(path.join(manifest.directory, manifest.entry)).href;

/** None for another copy of a bundled package, such as one of another version beside the configuration. */
async function bundledEntry(
  manifest: PackageManifest,
  from: string,
  { entries, directory }: Bundle,
): Promise<string | undefined> {
  const entry = entries.get(manifest.name);
  if (entry === undefined || from === directory) return entry;
  const bundled = await readManifest(manifest.name, directory).catch(() => undefined); // not installed there
  return bundled?.directory === manifest.directory ? entry : undefined;
}

async function importPackage(manifest: PackageManifest, url: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(url);
  } catch (error) {
    throw new EngineError('invalid-argument', `package ${manifest.name} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const isDriverDefinition = (value: unknown): value is DriverDefinition<object> =>
  isRecord(value) && typeof value.id === 'string' && isRecord(value.provides) && typeof value.create === 'function';

export const isPluginDefinition = (value: unknown): value is PluginDefinition =>
  isRecord(value) && typeof value.id === 'string' && typeof value.setup === 'function';

function checkDriver(manifest: PackageManifest, declared: DriverManifest, definition: DriverDefinition<object>): void {
  const { kind, version } = definition.provides;
  if (definition.id !== declared.id) {
    throw new EngineError(
      'invalid-argument',
      `package ${manifest.name}: its manifest says driver "${declared.id}", its code says "${definition.id}"`,
    );
  }
  const [declaredKind, declaredVersion = ''] = declared.provides.split('/');
  if (declaredKind !== kind) {
    throw new EngineError(
      'invalid-argument',
      `package ${manifest.name}: its manifest says it provides "${declared.provides}", its code says "${kind}"`,
    );
  }
  const [major, minor = 0] = declaredVersion.split('.').map(Number);
  if (major !== version.major || minor > version.minor) {
    throw new EngineError(
      'invalid-argument',
      `package ${manifest.name}: it provides ${declared.provides}, and this engine has ${kind}/${version.major}.${version.minor}; install a version of the package made for it`,
    );
  }
}
