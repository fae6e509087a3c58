import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '@gantry/test-nodes';
import type { AgeOptions } from './age-options.js';
import { checkSwarm } from './check-swarm.js';
import { YearEvents } from './events/year-events.js';
import { eventsOf } from './events-of.js';
import { startFleetProcess } from './fleet/fleet-process.js';
import { YearManagers } from './managers/year-managers.js';
import { YearSamples } from './year-samples.js';

const dayMilliseconds = 24 * 3600 * 1000;
/** Seconds in which everything that was begun has to come to its end. */
const settlingLimit = 120;
/** Lines of each manager that are shown when an event fails: their logs are gone with them. */
const linesShown = 100;
/** Days between two looks at the heaps. */
const heapInterval = 3;

export interface Year {
  /** That have passed. */
  readonly days: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly samples: YearSamples;
  /** What was wrong at the end of months. */
  readonly faults: readonly string[];
  readonly certificates: number;
  readonly keys: number;
  /** Seconds that the year took longer than its days. */
  readonly lateSeconds: number;
}

/**
 * Lives through a year with a swarm.
 * @param interrupted ends it after the present day.
 */
export async function runYear(
  t: Scope,
  options: AgeOptions,
  report: (line: string) => void,
  interrupted: AbortSignal = new AbortController().signal,
): Promise<Year> {
  const { days, minutes, nodes } = options;
  const dayLength = (minutes * 60_000) / days;
  const managers = await YearManagers.start(t, options.managers, dayMilliseconds / dayLength);
  const [, , third = managers.nodes[0]] = managers.nodes;
  const fleet = await startFleetProcess(t, third?.within ?? []);
  const events = new YearEvents({ managers, fleet, options });
  await events.begin();
  const samples = new YearSamples(managers, fleet);
  const faults: string[] = [];
  const check = async (day: number): Promise<void> => {
    const { services } = events;
    const deadline = Date.now() + settlingLimit * 1000;
    let found = await checkSwarm({ managers, fleet, services, nodes });
    while (found.length > 0 && Date.now() < deadline) {
      await delay(200);
      found = await checkSwarm({ managers, fleet, services, nodes });
    }
    faults.push(...found.map((fault) => `day ${day}: ${fault}`));
    for (const fault of found.slice(0, 10)) report(`day ${day}: ✘ ${fault}`);
  };
  await check(0);
  const began = Date.now();
  let day = 0;
  for (; day < days && !interrupted.aborted; day++) {
    for (const name of eventsOf(day)) {
      try {
        if (name === 'checked') await check(day);
        else await events[name](day, day < days / 2);
        if (name === 'large configs') samples.duties.noteLargeChanges(day);
      } catch (error) {
        report(`day ${day}: ✘ ${name}; what the managers wrote last:`);
        for (const line of managers.lastWritten(linesShown)) report(line);
        throw error;
      }
    }
    await samples.take(day, day % heapInterval === 0);
    await fleet.ask('observe');
    if (eventsOf(day).includes('checked')) report(describeMonth(day, samples));
    const rest = began + (day + 1) * dayLength - Date.now();
    if (rest > 0) await delay(rest, undefined, { signal: interrupted }).catch(() => undefined); // the loop ends
  }
  const lateSeconds = Math.max(0, (Date.now() - began - day * dayLength) / 1000);
  await check(day);
  const { certificatesSeen, keysSeen } = await fleet.ask('observe');
  return {
    days: day,
    counts: events.counts,
    samples,
    faults,
    certificates: certificatesSeen,
    keys: keysSeen,
    lateSeconds,
  };
}

function describeMonth(day: number, samples: YearSamples): string {
  const shown = samples.names
    .filter((name) => /resident|heap|store 1/.test(name))
    .map((name) => `${name} ${Math.round(samples.last(name))}`);
  return `day ${day + 1}: ${shown.join(', ')}`;
}
