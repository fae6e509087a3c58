import path from 'node:path';
import { withDeadline } from '../../concurrency/deadline.js';
import { messageOf } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { DriverDefinition } from '../definitions/driver.js';
import type { PluginDefinition } from '../definitions/plugin.js';
import { refuseUnknownSections, sectionOf } from '../units/sections.js';
import { stepDeadline } from '../units/step-deadline.js';
import { driverUnit, pluginUnit, type Unit } from '../units/unit.js';
import { type Bundle, isPluginDefinition, loadPackage } from './load-package.js';
import { isInstalled } from './manifest.js';

interface LoadOptions {
  /** Where relative and named packages are looked for; default: the working directory. */
  readonly from?: string;
  /** Where `extraPackages` are looked for first; default: `from`. */
  readonly extraFrom?: string;
  readonly bundle?: Bundle;
  /** Called for an optional package that cannot be loaded. */
  readonly onFailed: (specifier: string, reason: string) => void;
}

/** An entry of the configuration's lists of packages, with the units that its package holds. */
export interface LoadedEntry {
  readonly list: 'packages' | 'extraPackages';
  /** The name or path of the package, as the configuration has it. */
  readonly specifier: string;
  readonly units: readonly Unit[];
}

/** The units of definitions that a program brings along. */
export const broughtUnits = (use: readonly (DriverDefinition<object> | PluginDefinition)[]): readonly Unit[] =>
  use.map((definition) => (isPluginDefinition(definition) ? pluginUnit(definition) : driverUnit(definition)));

/**
 * Loads every package, starting nothing.
 * @param loaded entries from before, which stay as they are.
 * @throws EngineError naming what is wrong.
 */
export async function loadEntries(
  config: KernelConfig,
  { from = '.', extraFrom = from, bundle, onFailed }: LoadOptions,
  loaded: readonly LoadedEntry[] = [],
): Promise<readonly LoadedEntry[]> {
  const entries = [
    ...config.packages.map((entry) => ({ entry, list: 'packages' as const, first: path.resolve(from) })),
    ...config.extraPackages.map((entry) => ({ entry, list: 'extraPackages' as const, first: path.resolve(extraFrom) })),
  ];
  return Promise.all(
    entries.map(async ({ entry, list, first }) => {
      const { package: specifier, optional = false } = typeof entry === 'string' ? { package: entry } : entry;
      const known = loaded.find((each) => each.list === list && each.specifier === specifier);
      if (known !== undefined && known.units.length > 0) return known;
      // The engine comes with packages that it does not run unless asked to.
      const directory = isInstalled(specifier, first) ? first : path.resolve(from);
      try {
        const units = await withDeadline(
          stepDeadline(`package ${specifier}: loading`, config.startTimeoutSeconds * 1000),
          () => loadPackage(specifier, directory, optional, bundle),
        );
        return { list, specifier, units };
      } catch (error) {
        if (!optional) throw error;
        onFailed(specifier, messageOf(error));
        return { list, specifier, units: [] };
      }
    }),
  );
}

/** Parses the sections of required units. @throws EngineError naming what is wrong. */
export function checkSections(units: readonly Unit[], config: KernelConfig): void {
  refuseUnknownSections(units, config);
  for (const unit of units) if (!unit.optional) sectionOf(unit, config);
}
