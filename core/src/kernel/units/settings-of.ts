import type { KernelConfig } from '../configuration/kernel-config.js';
import type { EngineSettings } from '../hooks/engine-settings.js';
import { sectionOf } from './sections.js';
import type { Unit } from './unit.js';

/** The settings of these units, each with its own section. */
export function settingsOf(units: readonly Unit[], config: KernelConfig): ReturnType<EngineSettings['read']> {
  const { drivers: _drivers, plugins: _plugins, ...engine } = config;
  return { engine, packages: Object.fromEntries(units.map((unit) => [unit.name, sectionOf(unit, config)])) };
}
