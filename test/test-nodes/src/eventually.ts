import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is something; rejects when it is nothing for a minute, which emulated hosts need. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`not there in time: ${what}`);
    await delay(10);
  }
}
