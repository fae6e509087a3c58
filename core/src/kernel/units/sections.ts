import { EngineError } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import { parseConfig } from '../configuration/schema.js';
import type { Unit } from './unit.js';

const tableOf = (unit: Unit): 'drivers' | 'plugins' => (unit.kind === undefined ? 'plugins' : 'drivers');

/** A unit's section, parsed. @throws EngineError `invalid-argument` naming the key. */
export function sectionOf(unit: Unit, config: KernelConfig): unknown {
  const table = tableOf(unit);
  return parseConfig(unit.configSchema, config[table][unit.name] ?? {}, `config.${table}["${unit.name}"]`);
}

/** @throws EngineError `invalid-argument` for a section that no unit has. */
export function refuseUnknownSections(units: readonly Unit[], config: KernelConfig): void {
  for (const table of ['drivers', 'plugins'] as const) {
    const known = units.filter((unit) => tableOf(unit) === table).map(({ name }) => name);
    for (const name of Object.keys(config[table])) {
      if (known.includes(name)) continue;
      throw new EngineError(
        'invalid-argument',
        `config.${table}["${name}"]: no loaded package has that name; there are: ${known.join(', ') || 'none'}`,
      );
    }
  }
}
