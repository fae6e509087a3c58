import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '@gantry/test-nodes';
import { disagreements } from '../check/disagreements.js';
import { reset } from '../check/reset.js';
import { openBase } from '../run-faults.js';
import { untilClean } from '../run-scenario.js';
import { Random } from './random.js';
import { SoakUser } from './soak-user.js';

interface SoakRequest {
  readonly minutes: number;
  /** Between two kills. */
  readonly killSeconds: number;
  readonly seed: number;
}

/** Clients at the same time. */
const users = 8;

/** Random calls and kills. Prints one line for each life of the daemon. Resolves to what is wrong. */
export async function soak(scope: Scope, request: SoakRequest, print: (line: string) => void): Promise<string[]> {
  const base = await openBase(scope);
  const { daemon } = base.world;
  const random = new Random(request.seed);
  const all = Array.from(
    { length: users },
    (_, index) => new SoakUser(daemon.socket, index, new Random(random.below(2 ** 31))),
  );
  const wrong: string[] = [];
  const deadline = Date.now() + request.minutes * 60_000;
  for (let life = 1; Date.now() < deadline; life++) {
    const end = Math.min(deadline, Date.now() + request.killSeconds * 1000 * (0.5 + random.below(1000) / 1000));
    const before = all.reduce((sum, { calls }) => sum + calls, 0);
    const working = all.map(async (user) => {
      while (Date.now() < end + 5000 && (await user.step()));
    });
    const memory: number[] = [];
    while (Date.now() < end) {
      await delay(Math.min(30_000, end - Date.now()));
      memory.push(await residentMebibytes(daemon.pid));
    }
    await daemon.crash();
    await Promise.all(working);
    await daemon.restart();
    const calls = all.reduce((sum, user) => sum + user.calls, 0) - before;
    const lost = (await Promise.all(all.map((user) => user.lost()))).flat();
    const complaints = await base.bystander.complaints();
    const contradictions = await settledDisagreements(base.world);
    const found = [...lost, ...complaints, ...contradictions];
    wrong.push(...found.map((words) => `life ${life}: ${words}`));
    const started = Math.round(daemon.startMilliseconds);
    print(
      `life ${life}: ${calls} calls, ${memory.join(' ')} MiB every 30 s, back in ${started} ms, ${found.length} violations`,
    );
  }
  wrong.push(...all.flatMap(({ refusals }) => refusals));
  await reset(base.world);
  await untilClean(base).catch((error: unknown) => wrong.push(`left: ${error}`));
  const { code, said } = await daemon.command('check');
  if (code !== 0) wrong.push(said);
  return wrong;
}

/** Exits from before are published in the background after a start. */
async function settledDisagreements(world: Parameters<typeof disagreements>[0]): Promise<readonly string[]> {
  let found = await disagreements(world);
  for (let round = 0; round < 30 && found.length > 0; round++) {
    await delay(200);
    found = await disagreements(world);
  }
  return found;
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
