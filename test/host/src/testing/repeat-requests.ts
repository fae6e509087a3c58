import { eventually, type Scope } from '@gantry/test-nodes';

/** Requests of several clients, each of which makes the same ones again and again. */
interface RepeatedRequests {
  /** How many were answered. */
  readonly count: number;
  /** Milliseconds of the longest round. */
  readonly longest: number;
  /** Resolves when further ones were answered. */
  more(count: number): Promise<boolean>;
  /** Ends with the rounds that have begun. Resolves to what has failed. */
  end(): Promise<readonly unknown[]>;
}

/**
 * They end with the scope at the latest.
 * @param clients one round each, which resolves to its answers; a round that rejects has failed.
 */
export function repeatRequests(
  t: Scope,
  clients: readonly ((round: number) => Promise<readonly unknown[]>)[],
): RepeatedRequests {
  const failures: unknown[] = [];
  let count = 0;
  let longest = 0;
  let isOver = false;
  const rounds = clients.map(async (client) => {
    for (let round = 0; !isOver; round += 1) {
      const began = performance.now();
      try {
        count += (await client(round)).length;
        longest = Math.max(longest, performance.now() - began);
      } catch (error) {
        failures.push(error);
      }
    }
  });
  const end = async (): Promise<readonly unknown[]> => {
    isOver = true;
    await Promise.all(rounds);
    return failures;
  };
  t.teardown(async () => void (await end()));
  return {
    get count() {
      return count;
    },
    get longest() {
      return longest;
    },
    more(further) {
      const before = count;
      return eventually(`${further} requests are answered`, () => count >= before + further);
    },
    end,
  };
}
