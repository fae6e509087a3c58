/** What happens on the days of a year, by the name of the event. */
type EventName = keyof typeof rules;

interface Rule {
  /** Days from one time to the next. */
  readonly every: number;
  /** The first day, from 0. */
  readonly first: number;
}

const rules = {
  /** Every service gets another specification. */
  'services updated': { every: 1, first: 0 },
  /** Programs of containers end with an error. */
  'tasks failed': { every: 1, first: 0 },
  /** A secret and a config take the place of others in a service. */
  'files replaced': { every: 1, first: 0 },
  /** A service is made, and the one of the day before removed. */
  'service replaced': { every: 1, first: 0 },
  /** A worker leaves, and another one joins. */
  'node replaced': { every: 7, first: 6 },
  'manager replaced': { every: 60, first: 15 },
  'join tokens rotated': { every: 30, first: 20 },
  'leader killed': { every: 30, first: 25 },
  'root rotated': { every: 91, first: 10 },
  /** Many large configs are made and removed, for which the file of the store grows. */
  'large configs': { every: 91, first: 27 },
  checked: { every: 30, first: 29 },
} as const satisfies Record<string, Rule>;

/** In the order in which they happen. */
export function eventsOf(day: number): readonly EventName[] {
  return (Object.entries(rules) as [EventName, Rule][]).flatMap(([name, { every, first }]) =>
    day >= first && (day - first) % every === 0 ? [name] : [],
  );
}
