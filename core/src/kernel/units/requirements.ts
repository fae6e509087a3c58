import { EngineError } from '../../errors/engine-error.js';
import { isServicePoint, nameOfPoint, type Unit } from './unit.js';

/** For each unit, the units that must be ready before it. */
export type Requirements = ReadonlyMap<Unit, readonly Unit[]>;

/** Why units cannot be loaded together, in one line, and which of them could be left out instead. */
interface Fault {
  readonly message: string;
  readonly culprits: readonly Unit[];
}

/**
 * Leaves out optional units that do not fit the others: a duplicate id, a missing provider, a cycle.
 * @returns the rest, in their order. Those with a fault that no optional unit can be blamed for are among them.
 */
export function withoutMisfits(
  units: readonly Unit[],
  leaveOut: (unit: Unit, reason: string) => void,
): readonly Unit[] {
  let left = units;
  for (;;) {
    const fault = faultOf(left);
    // The one that came last is the newcomer.
    const misfit = fault?.culprits.findLast(({ optional }) => optional);
    if (fault === undefined || misfit === undefined) return left;
    leaveOut(misfit, fault.message);
    left = left.filter((unit) => unit !== misfit);
  }
}

/**
 * Resolves what units require to the units that provide it.
 * @throws EngineError `invalid-argument`, one line: a duplicate id, a missing provider, or a cycle with its members.
 */
export function resolveRequirements(units: readonly Unit[]): Requirements {
  const fault = faultOf(units);
  if (fault !== undefined) throw new EngineError('invalid-argument', fault.message);
  return requirementsOf(units);
}

const faultOf = (units: readonly Unit[]): Fault | undefined =>
  findDuplicate(units) ?? findMissing(units) ?? findCycle(requirementsOf(units));

type Point = Unit['requires'][number];

const ownProvidersOf = (point: Point, units: readonly Unit[]): readonly Unit[] =>
  isServicePoint(point)
    ? units.filter(({ provides }) => provides.some(({ token }) => token === point.token))
    : units.filter(({ kind }) => kind?.token === point.token);

/** What a point's fallback is made with, where no unit provides the point. */
const fallbackPartsOf = (point: Point): readonly Point[] => (isServicePoint(point) ? (point.requires ?? []) : []);

/** Those of what the point's fallback is made with, where no unit provides the point. */
function providersOf(point: Point, units: readonly Unit[]): readonly Unit[] {
  const providers = ownProvidersOf(point, units);
  return providers.length > 0 ? providers : fallbackPartsOf(point).flatMap((part) => providersOf(part, units));
}

/** The way to a point that is absent: the point itself, or through what its fallback is made with. */
function absenceOf(point: Point, units: readonly Unit[]): readonly Point[] | undefined {
  if (ownProvidersOf(point, units).length > 0) return undefined;
  if (!isServicePoint(point) || point.fallback === undefined) return [point];
  for (const part of fallbackPartsOf(point)) {
    const absence = absenceOf(part, units);
    if (absence !== undefined) return [point, ...absence];
  }
  return undefined;
}

const joinersOf = (point: Point, units: readonly Unit[]): readonly Unit[] =>
  units.filter(({ joins }) => joins.some((kind) => kind.token === point.token));

const requirementsOf = (units: readonly Unit[]): Requirements =>
  new Map(
    units.map((unit) => {
      const before = new Set([
        ...unit.requires.flatMap((point) => [...providersOf(point, units), ...joinersOf(point, units)]),
        ...unit.after.flatMap((point) => providersOf(point, units)),
      ]);
      before.delete(unit);
      return [unit, [...before]];
    }),
  );

function findDuplicate(units: readonly Unit[]): Fault | undefined {
  const owners = new Map<string, Unit>();
  for (const unit of units) {
    for (const name of [unit.name, ...unit.provides.map((point) => `service ${point.name}`)]) {
      const owner = owners.get(name);
      if (owner !== undefined && (owner !== unit || name === unit.name)) {
        const message = `${name} is provided twice: by package ${owner.package.name} and by package ${unit.package.name}`;
        return { message, culprits: [owner, unit] };
      }
      owners.set(name, unit);
    }
  }
  return undefined;
}

function findMissing(units: readonly Unit[]): Fault | undefined {
  for (const unit of units) {
    for (const point of unit.requires) {
      const absence = absenceOf(point, units);
      if (absence === undefined) continue;
      const way = absence.map(nameOfPoint).join(', whose fallback requires ');
      return { message: `${unit.name} requires ${way}, which no package in "packages" provides`, culprits: [unit] };
    }
  }
  return undefined;
}

function findCycle(requirements: Requirements): Fault | undefined {
  const done = new Set<Unit>();
  const visit = (unit: Unit, trail: readonly Unit[]): Fault | undefined => {
    if (done.has(unit)) return undefined;
    const start = trail.indexOf(unit);
    if (start >= 0) {
      const members = trail.slice(start);
      const names = [...members, unit].map((member) => member.name).join(' -> ');
      return { message: `packages require each other in a circle: ${names}`, culprits: members };
    }
    for (const before of requirements.get(unit) ?? []) {
      const fault = visit(before, [...trail, unit]);
      if (fault !== undefined) return fault;
    }
    done.add(unit);
    return undefined;
  };
  for (const unit of requirements.keys()) {
    const fault = visit(unit, []);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
