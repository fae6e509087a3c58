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
  /** Definitions beside the configured packages. */
  readonly use?: readonly (DriverDefinition<object> | PluginDefinition)[];
  /** Where relative and named packages are looked for; default: the working directory. */
  readonly from?: string;
  /** Where `extraPackages` are looked for first; default: `from`. */
  readonly extraFrom?: string;
  readonly bundle?: Bundle;
  /** Called for an optional package that cannot be loaded. */
  readonly onFailed: (specifier: string, reason: string) => void;
}

/**
 * Loads every package and parses the sections of required ones, starting nothing.
 * @throws EngineError naming what is wrong.
 */
export async function loadUnits(
  config: KernelConfig,
  { use = [], from = '.', extraFrom = from, bundle, onFailed }: LoadOptions,
): Promise<readonly Unit[]> {
  const brought = use.map((definition) =>
    isPluginDefinition(definition) ? pluginUnit(definition) : driverUnit(definition),
  );
  const entries = [
    ...config.packages.map((entry) => ({ entry, directory: path.resolve(from) })),
    ...config.extraPackages.map((entry) => ({ entry, directory: path.resolve(extraFrom) })),
  ];
  const loaded = await Promise.all(
    entries.map(async ({ entry, directory: first }) => {
      const { package: specifier, optional = false } = typeof entry === 'string' ? { package: entry } : entry;
      // The engine comes with packages that it does not run unless asked to.
      const directory = isInstalled(specifier, first) ? first : path.resolve(from);
      try {
        return await withDeadline(
          stepDeadline(`package ${specifier}: loading`, config.startTimeoutSeconds * 1000),
          () => loadPackage(specifier, directory, optional, bundle),
        );
      } catch (error) {
        if (!optional) throw error;
        onFailed(specifier, messageOf(error));
        return [];
      }
    }),
  );
  const units = [...brought, ...loaded.flat()];
  refuseUnknownSections(units, config);
  for (const unit of units) if (!unit.optional) sectionOf(unit, config);
  return units;
}
