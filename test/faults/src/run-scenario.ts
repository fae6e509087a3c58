import { setTimeout as delay } from 'node:timers/promises';
import { isDone } from './ask.js';
import type { Bystander } from './check/bystander.js';
import { disagreements } from './check/disagreements.js';
import { differences, hostOf, leaks } from './check/host.js';
import { reset } from './check/reset.js';
import { stateOf } from './check/state-of.js';
import type { Place } from './crash-control.js';
import type { Scenario } from './scenario.js';
import { type Victim, victimOf } from './victims.js';
import type { World } from './world.js';

export interface Outcome {
  readonly scenario: string;
  readonly place: Place;
  /** Whether the daemon died there; otherwise it did not come by this time. */
  readonly killed: boolean;
  readonly violations: readonly string[];
  /** From the start of the process to its first answer. */
  readonly restartMilliseconds: number;
}

export interface Base {
  readonly world: World;
  readonly bystander: Bystander;
  /** Of the host, with the bystander and nothing else. */
  readonly host: readonly string[];
}

/** At most so many times the daemon dies at one point of one scenario, one further on each time. */
const timesPerPoint = 4;

interface Plan {
  /** Whether to die there; everywhere by default. Asked once for each place the scenario allows. */
  isWanted?(place: Place): boolean;
  readonly timesPerPoint?: number;
  /** Who dies; the daemon by default. */
  readonly victim?: Victim;
}

/** Calls once without a crash, to learn which places are reached and what the call leads to; then dies at each. */
export async function* runScenario(base: Base, scenario: Scenario, plan: Plan = {}): AsyncIterable<Outcome> {
  const { world } = base;
  await scenario.prepare?.(world);
  const before = await stateOf(world);
  await world.control.disarm();
  const answer = await scenario.act(world);
  if (answer === undefined || !isDone(answer)) {
    throw new Error(`${scenario.name}: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`);
  }
  const after = await settled(world);
  const places = wanted(await world.control.reached(), scenario, plan);
  await reset(world);
  await untilClean(base);
  for (const place of places) yield await crashAt(base, scenario, place, { before, after }, plan.victim);
}

function wanted(reached: readonly Place[], scenario: Scenario, plan: Plan): readonly Place[] {
  const { points: own = /^(?!log-json-file)/ } = scenario;
  const limit = plan.timesPerPoint ?? timesPerPoint;
  return reached.filter((place) => own.test(place.point) && place.nth <= limit && (plan.isWanted?.(place) ?? true));
}

interface Expected {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function crashAt(
  base: Base,
  scenario: Scenario,
  place: Place,
  expected: Expected,
  victim: Victim = 'daemon',
): Promise<Outcome> {
  const { world, bystander } = base;
  const { control, daemon } = world;
  const violations: string[] = [];
  const check = async (what: string, look: () => Promise<readonly string[]>): Promise<void> => {
    const found = await look().catch((error: unknown) => [String(error)]);
    violations.push(...found.map((words) => `${what}: ${words}`));
  };
  await check('before', async () => {
    await scenario.prepare?.(world);
    return [];
  });
  await control.disarm();
  await control.arm(place, await victimOf(victim, world));
  const answer = await scenario.act(world);
  const isAcknowledged = answer !== undefined && isDone(answer);
  const killed = victim === 'daemon' ? await hasDied(world) : await control.wasReached();
  await control.disarm();
  if (victim === 'daemon') await daemon.restart();
  const allowed = isAcknowledged ? [expected.after] : [expected.before, expected.after];
  await check('state', () => untilAllowed(world, scenario, allowed, isAcknowledged));
  await check('agreement', () => soon(() => disagreements(world)));
  await check('bystander', () => bystander.complaints());
  await check('gantryd check', () => soon(() => leftBehind(world)));
  if (!isAcknowledged) await check('again', () => callAgain(world, scenario, expected.after));
  await check('content', () => soon(async () => (await scenario.verify?.(world)) ?? []));
  await check('agreement', () => soon(() => disagreements(world)));
  await reset(world).catch((error: unknown) => violations.push(`reset: ${error}`));
  await check('host', () => untilClean(base).then(() => []));
  return {
    scenario: scenario.name,
    place,
    killed,
    violations: violations.length === 0 ? [] : [...violations, `the daemon's log:\n${tailOf(daemon.log())}`],
    restartMilliseconds: daemon.startMilliseconds,
  };
}

/** Whether it died by itself. It is dead afterwards. */
async function hasDied({ daemon }: World): Promise<boolean> {
  const killed = await Promise.race([daemon.died().then(() => true), delay(1500, false)]);
  if (!killed) await daemon.crash();
  return killed;
}

/** Warnings and errors of what it wrote last. */
const tailOf = (log: string): string =>
  log
    .split('\n')
    .filter((line) => /"level":[4-6]0|^[^{]/.test(line))
    .slice(-8)
    .map((line) => line.slice(0, 600))
    .join('\n');

/** What goes on in the background of an answered call has come to its end. */
async function settled(world: World): Promise<readonly string[]> {
  let state = await stateOf(world);
  for (let still = 0; still < 4; ) {
    await delay(50);
    const now = await stateOf(world);
    still = same(now, state) ? still + 1 : 0;
    state = now;
  }
  return state;
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');

async function untilAllowed(
  world: World,
  scenario: Scenario,
  allowed: readonly (readonly string[])[],
  isAcknowledged: boolean,
): Promise<readonly string[]> {
  const isAllowed = (state: readonly string[]): boolean =>
    allowed.some((one) => same(one, state)) || (!isAcknowledged && scenario.mayLeave?.(state) === true);
  return soon(async () => {
    const state = await stateOf(world);
    if (isAllowed(state)) return [];
    return allowed.flatMap((one, index) => [`not state ${index + 1}:`, ...differences(one, state)]);
  });
}

async function callAgain(world: World, scenario: Scenario, after: readonly string[]): Promise<readonly string[]> {
  const again = await (scenario.retry ?? scenario.act)(world);
  if (again === undefined) return ['no answer'];
  if (!isDone(again) && !(scenario.alreadyDone ?? []).includes(again.status)) return [`${again.status} ${again.text}`];
  return soon(async () => differences(after, await stateOf(world)));
}

async function leftBehind({ daemon }: World): Promise<readonly string[]> {
  const { code, said } = await daemon.command('check');
  return code === 0 ? [] : [said];
}

/** Looks until nothing is found; after half a minute what is found then is final: on a busy host a swarm takes its time. */
async function soon(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found.length === 0 || Date.now() > deadline) return found;
    await delay(100);
  }
}

/** Rejects with what is left on the host, when something is. */
export async function untilClean({ world, host }: Base): Promise<void> {
  const left = await soon(async () => leaks(host, await hostOf(world.daemon)));
  if (left.length > 0) throw new Error(left.join('\n'));
}
