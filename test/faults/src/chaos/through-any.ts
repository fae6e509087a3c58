import { eventually, type SwarmNode } from '@gantry/test-nodes';

/** Does something through the first of the managers that can. Rejects with the last reason when a minute does not suffice. */
export async function throughAny<T>(
  what: string,
  managers: readonly SwarmNode[],
  act: (manager: SwarmNode) => Promise<T>,
): Promise<T> {
  let reason = '';
  const attempt = async (): Promise<{ readonly result: T } | undefined> => {
    for (const manager of managers) {
      try {
        return { result: await act(manager) };
      } catch (error) {
        reason = (error as Error).message; // there may be no leader, or none that answered in time
      }
    }
    return undefined;
  };
  try {
    return (await eventually(what, attempt)).result;
  } catch (cause) {
    throw new Error(`${what}: ${reason}`, { cause });
  }
}
