import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runChecked } from '../run-checked.js';
import { Random } from '../soak/random.js';
import { faultNames } from './chaos-faults.js';
import { ChaosRounds } from './chaos-rounds.js';
import { ChooseFaults } from './choose-faults.js';

interface ChaosOptions {
  readonly faults: RegExp;
  readonly minutes: number;
  /** How long faults of a round last at most, in milliseconds. */
  readonly longest: number;
  readonly seed: number;
  /** Ends the run after the present round. */
  readonly signal: AbortSignal;
}

/** Every shape of the partitions has two. */
const workerCount = 2;

/** At least so long, in milliseconds: otherwise nothing notices. */
const shortest = 500;

/** Makes rounds of random faults on one swarm. Resolves to whether nothing was violated. */
export async function runChaos(options: ChaosOptions, report: (line: string) => void): Promise<boolean> {
  const { faults, longest, minutes, seed, signal } = options;
  const random = new Random(seed);
  const choose = new ChooseFaults(random, faults);
  const counts = new Map<string, number>();
  let rounds = 0;
  return runChecked(report, async ({ scope, violate }) => {
    const chaos = await ChaosRounds.start(scope, random, workerCount);
    const end = Date.now() + minutes * 60_000;
    for (let works = true; works && Date.now() < end && !signal.aborted; ) {
      const names = choose.next();
      const milliseconds = shortest + random.below(longest - shortest + 1);
      const round = await chaos.run(names, milliseconds);
      rounds += 1;
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      const { meanwhile, soundAfter, violations: found } = round;
      works = soundAfter !== undefined;
      report(
        `${rounds}. ${names.join(' and ')}: ${milliseconds} ms, ${meanwhile} updates acknowledged meanwhile, ` +
          (soundAfter === undefined ? 'not sound' : `sound after ${soundAfter} ms`),
      );
      for (const line of found) violate(line);
      if (found.length > 0) report(`the history is in ${await keepHistory(chaos, names, found)}`);
    }
    const { acknowledged, lost, unknown } = chaos.registers;
    for (const name of faultNames.filter((each) => counts.has(each))) report(`${counts.get(name)} × ${name}`);
    report(`${acknowledged} updates acknowledged, ${unknown} with an unknown outcome, ${lost} lost with the majority`);
    report(`${rounds} rounds`);
  });
}

/** Writes what is known of a violation: the updates of the round, and the logs of all engines. @returns where. */
async function keepHistory(
  { registers, swarm }: ChaosRounds,
  names: readonly string[],
  violations: readonly string[],
): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-chaos-'));
  const history = { faults: names, violations, updates: registers.updates };
  await writeFile(path.join(directory, 'history.json'), JSON.stringify(history, undefined, 1));
  for (const { address, daemon } of swarm.engines) {
    await writeFile(path.join(directory, `${address}.log`), daemon.log());
  }
  return directory;
}
