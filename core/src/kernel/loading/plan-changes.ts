import type { Unit } from '../units/unit.js';
import type { LoadedEntry } from './load-units.js';

/** What a changed list of packages asks for. */
export interface ChangePlan {
  readonly joining: readonly Unit[];
  readonly replacing: readonly { readonly older: Unit; readonly newer: Unit }[];
  readonly leaving: readonly Unit[];
  /** Units that stay as they are until the next start, each with the reason. */
  readonly waiting: readonly { readonly unit: Unit; readonly reason: string }[];
  /** The entries there are once everything is done. */
  readonly entries: readonly LoadedEntry[];
}

/** Compares the packages that are loaded with those that a changed configuration names. */
export function planChanges(current: readonly LoadedEntry[], next: readonly LoadedEntry[]): ChangePlan {
  const before = new Map(current.flatMap(({ units }) => units.map((unit) => [unit.name, unit])));
  const joining: Unit[] = [];
  const replacing: { older: Unit; newer: Unit }[] = [];
  const waiting: { unit: Unit; reason: string }[] = [];
  const keep = new Map<Unit, Unit>();
  const staying: Unit[] = [];
  for (const unit of next.flatMap(({ units }) => units)) {
    const older = before.get(unit.name);
    before.delete(unit.name);
    if (older === undefined) joining.push(unit);
    else if (older === unit) continue;
    else if (isSamePackage(older, unit)) keep.set(unit, older);
    else if (isReplaceable(older, unit)) replacing.push({ older, newer: unit });
    else {
      staying.push(older);
      waiting.push({ unit: older, reason: 'another version of it takes over only when the daemon starts' });
    }
  }
  const leaving: Unit[] = [];
  const remaining = next.flatMap(({ units }) => units);
  for (const unit of before.values()) {
    if (canLeave(unit, remaining)) {
      leaving.push(unit);
      continue;
    }
    staying.push(unit);
    waiting.push({ unit, reason: 'it leaves only when the daemon starts' });
  }
  const stays = new Set(staying.map(({ name }) => name));
  const kept = next.map((entry) => ({
    ...entry,
    units: entry.units.map((unit) => keep.get(unit) ?? unit).filter(({ name }) => !stays.has(name)),
  }));
  const left = current
    .map((entry) => ({ ...entry, units: entry.units.filter((unit) => staying.includes(unit)) }))
    .filter(({ units }) => units.length > 0);
  return { joining, replacing, leaving, waiting, entries: [...kept, ...left] };
}

/** The same code under another name, such as an entry that moved from one list to the other. */
const isSamePackage = (one: Unit, other: Unit): boolean =>
  one.package.directory !== undefined &&
  one.package.directory === other.package.directory &&
  one.package.version === other.package.version;

const isReplaceable = (older: Unit, newer: Unit): boolean =>
  older.kind?.takeover !== undefined && older.kind.token === newer.kind?.token;

/** A driver of other kinds is kept by packages that have asked for it once; so is a service. */
const canLeave = ({ joins, kind, provides }: Unit, others: readonly Unit[]): boolean =>
  kind === undefined
    ? joins.length === 0 && !others.some((other) => provides.some(({ token }) => isUsed(token, other)))
    : kind.takeover !== undefined;

const isUsed = (service: symbol, { after, requires }: Unit): boolean =>
  [...requires, ...after].some(({ token }) => token === service);
