import { pushExamplePlugin, startStubRegistry } from '@gantry/host';
import type { DaemonOptions, Scope } from '@gantry/test-nodes';
import { ProgramScope } from '@gantry/test-nodes';
import { Bystander } from './check/bystander.js';
import { hostOf } from './check/host.js';
import type { Place } from './crash-control.js';
import { formatOutcomes } from './format-outcomes.js';
import { knownPoints } from './known-points.js';
import { type Base, type Outcome, runScenario } from './run-scenario.js';
import type { Scenario } from './scenario.js';
import { allScenarios } from './scenarios/index.js';
import type { Victim } from './victims.js';
import { openWorld } from './world.js';

export interface FaultsRequest {
  /** Names of scenarios and of points to run. */
  readonly scenarios: RegExp;
  readonly points: RegExp;
  /** Daemons that are killed side by side. */
  readonly jobs: number;
  /** How many times at most the daemon dies at one point of one scenario. */
  readonly timesPerPoint: number;
  /** In how many scenarios at most it dies at one point. */
  readonly scenariosPerPoint: number;
  readonly victim: Victim;
}

/** Runs the suite and prints a table. Resolves to whether nothing is wrong: no violation, no point left out. */
export async function runFaults(request: FaultsRequest, print: (line: string) => void): Promise<boolean> {
  const began = performance.now();
  const wanted = allScenarios.filter(
    ({ name, victims = ['daemon'] }) => request.scenarios.test(name) && victims.includes(request.victim),
  );
  const shared = wanted.filter(({ isExclusive }) => isExclusive !== true);
  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  const spread = new Spread(request.scenariosPerPoint);
  /** @param own scenarios that only this worker runs, before the shared ones. */
  const work = async (own: Scenario[]): Promise<void> => {
    const scope = new ProgramScope();
    try {
      const base = await openBase(scope, { withPlugin: true });
      const next = () => own.shift() ?? shared.shift();
      for (let scenario = next(); scenario !== undefined; scenario = next()) {
        await runOne(base, scenario, { ...request, spread }, outcomes, print);
      }
    } catch (error) {
      faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      await scope.end().catch((error: unknown) => faults.push(`at the end: ${error}`));
    }
  };
  const exclusive = wanted.filter(({ isExclusive }) => isExclusive === true);
  await Promise.all(Array.from({ length: request.jobs }, (_, index) => work(index === 0 ? exclusive : [])));
  for (const line of formatOutcomes(outcomes)) print(line);
  for (const fault of faults) print(`✘ ${fault}`);
  const isWhole =
    request.victim === 'daemon' && request.scenarios.source === '(?:)' && request.points.source === '(?:)';
  const left = isWhole ? await neverHit(outcomes) : [];
  for (const point of left) print(`✘ no scenario dies at ${point}`);
  const kills = outcomes.filter(({ killed }) => killed).length;
  const violations = outcomes.filter((outcome) => outcome.violations.length > 0).length;
  const points = new Set(outcomes.flatMap(({ killed, place }) => (killed ? [place.point] : []))).size;
  print(
    `${points} points hit, ${kills} kills, ${violations} violations, ${Math.round((performance.now() - began) / 1000)} s`,
  );
  return violations === 0 && faults.length === 0 && left.length === 0;
}

interface BaseOptions extends DaemonOptions {
  /** The example plugin is in the registry. */
  readonly withPlugin?: boolean;
}

/** A daemon with nothing but the bystander, that has been killed once. */
export async function openBase(scope: Scope, options: BaseOptions = {}): Promise<Base> {
  const registry = await startStubRegistry(scope);
  if (options.withPlugin === true) await pushExamplePlugin(registry);
  const world = await openWorld(scope, registry, options);
  const bystander = await Bystander.start(world);
  // The first restart settles what only a daemon that has started anew has.
  await world.daemon.crash();
  await world.daemon.restart();
  return { world, bystander, host: await hostOf(world.daemon) };
}

async function runOne(
  base: Base,
  scenario: Scenario,
  { points, timesPerPoint, spread, victim }: FaultsRequest & { readonly spread: Spread },
  outcomes: Outcome[],
  print: (line: string) => void,
): Promise<void> {
  const plan = {
    victim,
    timesPerPoint,
    isWanted: ({ point }: Place) => points.test(point) && spread.take(point, scenario.name),
  };
  for await (const outcome of runScenario(base, scenario, plan)) {
    outcomes.push(outcome);
    const { place, killed, violations } = outcome;
    const what = `${scenario.name}: ${place.point} ${place.nth}`;
    if (violations.length > 0) print([`✘ ${what}`, ...violations].join('\n    '));
    else print(`${killed ? '✔' : '-'} ${what}`);
  }
}

/** Limits the number of scenarios that die at one point. */
class Spread {
  readonly #scenarios = new Map<string, Set<string>>();

  constructor(private readonly limit: number) {}

  take(point: string, scenario: string): boolean {
    const known = this.#scenarios.get(point) ?? new Set();
    this.#scenarios.set(point, known);
    if (known.size >= this.limit) return known.has(scenario);
    known.add(scenario);
    return true;
  }
}

/** Crash points that no scenario died at: they are untested. */
async function neverHit(outcomes: readonly Outcome[]): Promise<readonly string[]> {
  const hit = new Set(outcomes.flatMap(({ killed, place }) => (killed ? [place.point] : [])));
  return (await knownPoints()).filter((point) => !hit.has(point));
}
