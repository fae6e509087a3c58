import { EngineError } from './errors.js';
import { isServicePoint, nameOfPoint, type Unit } from './unit.js';

/** For each unit, the units that must be ready before it. */
export type Requirements = ReadonlyMap<Unit, readonly Unit[]>;

/**
 * Resolves what units require to the units that provide it.
 * @throws EngineError `invalid-argument`, one line: a duplicate id, a missing provider, or a cycle with its members.
 */
export function resolveRequirements(units: readonly Unit[]): Requirements {
  refuseDuplicates(units);
  const requirements = new Map<Unit, readonly Unit[]>();
  for (const unit of units) {
    const before = new Set<Unit>();
    for (const point of unit.requires) {
      const providers = units.filter((candidate) =>
        isServicePoint(point)
          ? candidate.provides.some((offered) => offered.token === point.token)
          : candidate.kind?.token === point.token,
      );
      if (providers.length === 0) {
        throw new EngineError(
          'invalid-argument',
          `${unit.name} requires ${nameOfPoint(point)}, which no package in "packages" provides`,
        );
      }
      for (const provider of providers) if (provider !== unit) before.add(provider);
    }
    requirements.set(unit, [...before]);
  }
  refuseCycles(requirements);
  return requirements;
}

function refuseDuplicates(units: readonly Unit[]): void {
  const owners = new Map<string, Unit>();
  for (const unit of units) {
    for (const name of [unit.name, ...unit.provides.map((point) => `service ${point.name}`)]) {
      const owner = owners.get(name);
      if (owner !== undefined && (owner !== unit || name === unit.name)) {
        throw new EngineError(
          'invalid-argument',
          `${name} is provided twice: by package ${owner.package.name} and by package ${unit.package.name}`,
        );
      }
      owners.set(name, unit);
    }
  }
}

function refuseCycles(requirements: Requirements): void {
  const done = new Set<Unit>();
  const visit = (unit: Unit, trail: readonly Unit[]): void => {
    if (done.has(unit)) return;
    const start = trail.indexOf(unit);
    if (start >= 0) {
      const names = [...trail.slice(start), unit].map((member) => member.name).join(' -> ');
      throw new EngineError('invalid-argument', `packages require each other in a circle: ${names}`);
    }
    for (const before of requirements.get(unit) ?? []) visit(before, [...trail, unit]);
    done.add(unit);
  };
  for (const unit of requirements.keys()) visit(unit, []);
}
