import path from 'node:path';
import { withDeadline } from '../../concurrency/deadline.js';
import { messageOf } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { DriverDefinition } from '../definitions/driver.js';
import type { PluginDefinition } from '../definitions/plugin.js';
import { refuseUnknownSections, sectionOf } from '../units/sections.js';
import { stepDeadline } from '../units/step-deadline.js';
import { driverUnit, pluginUnit, type Unit } from '../units/unit.js';
import { type EntryOf, isPluginDefinition, loadPackage } from './load-package.js';

interface LoadOptions {
  /** Definitions beside the configured packages. */
  readonly use?: readonly (DriverDefinition<object> | PluginDefinition)[];
  /** Where relative and named packages are looked for; default: the working directory. */
  readonly from?: string;
  /** The same for `extraPackages`; default: `from`. */
  readonly extraFrom?: string;
  /** Where packages that the engine comes with are bundled. */
  readonly entryOf?: EntryOf;
  /** Called with each unit as soon as its package is loaded, possibly before others are. */
  readonly onLoaded?: (unit: Unit) => void;
  /** Called for an optional package that cannot be loaded. */
  readonly onFailed: (specifier: string, reason: string) => void;
}

/**
 * Loads every package and parses the sections of required ones, starting nothing.
 * @throws EngineError naming what is wrong.
 */
export async function loadUnits(
  config: KernelConfig,
  { use = [], from = '.', extraFrom = from, entryOf, onLoaded, onFailed }: LoadOptions,
): Promise<readonly Unit[]> {
  const brought = use.map((definition) =>
    isPluginDefinition(definition) ? pluginUnit(definition) : driverUnit(definition),
  );
  for (const unit of brought) onLoaded?.(unit);
  const entries = [
    ...config.packages.map((entry) => ({ entry, directory: path.resolve(from) })),
    ...config.extraPackages.map((entry) => ({ entry, directory: path.resolve(extraFrom) })),
  ];
  const loaded = await Promise.all(
    entries.map(async ({ entry, directory }) => {
      const { package: specifier, optional = false } = typeof entry === 'string' ? { package: entry } : entry;
      try {
        const units = await withDeadline(
          stepDeadline(`package ${specifier}: loading`, config.startTimeoutSeconds * 1000),
          () => loadPackage(specifier, directory, optional, entryOf),
        );
        for (const unit of units) onLoaded?.(unit);
        return units;
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
