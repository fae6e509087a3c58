import { setTimeout as delay } from 'node:timers/promises';
import { AppendRegister, Application } from '@gantry/host';
import { cut, partitionKinds, rolesOf, type SwarmNode, startManagers } from '@gantry/test-nodes';
import { runChecked } from '../run-checked.js';
import { Random } from '../soak/random.js';

interface PartitionOptions {
  readonly kinds: RegExp;
  /** How often each kind is tried. */
  readonly rounds: number;
  /** Milliseconds. */
  readonly longestCut: number;
  readonly seed: number;
}

/** At least so long, in milliseconds: otherwise nothing notices. */
const shortestCut = 500;

/** Tries every kind of partition in random order, on one swarm. Resolves to whether nothing was violated. */
export async function runPartitions(
  { kinds, longestCut, rounds, seed }: PartitionOptions,
  report: (line: string) => void,
): Promise<boolean> {
  const random = new Random(seed);
  const names = Object.keys(partitionKinds).filter((name) => kinds.test(name));
  return runChecked(report, async ({ scope, violate }) => {
    const { engines, managers, workers } = await startManagers(scope, 3, 2);
    const application = await Application.deploy(engines, managers);
    const [first, ...rest] = managers as [SwarmNode, ...SwarmNode[]];
    const register = await AppendRegister.start(scope, [first, ...rest]);
    for (const name of shuffled(Array.from({ length: rounds }, () => names).flat(), random)) {
      const before = register.acknowledged;
      const milliseconds = shortestCut + random.below(longestCut - shortestCut + 1);
      const heal = await cut(partitionKinds[name]?.(await rolesOf(managers, workers)) ?? []);
      await delay(milliseconds);
      const during = register.acknowledged - before;
      await heal();
      const cutFor = `${name}: cut for ${milliseconds} ms, ${during} updates acknowledged meanwhile`;
      try {
        report(`${cutFor}, sound ${await application.untilSound()} ms after it was healed`);
      } catch (error) {
        violate(`${cutFor}, ${(error as Error).message}`);
      }
    }
    for (const line of await register.finish(first)) violate(line);
    report(`${register.acknowledged} updates acknowledged, ${register.unknown} with an unknown outcome`);
  });
}

/** In an order by chance. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}
