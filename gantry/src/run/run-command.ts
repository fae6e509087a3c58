import { ApiError, EngineClient } from 'gantry-client';
import type { Streams } from './attach-terminal.js';
import { checkPrograms } from './check-programs.js';
import { debugLog } from './debug-log.js';
import { Interruption } from './interruption.js';
import { parseRun } from './parse-run.js';
import { planRun, type RunPlan } from './plan-run.js';
import { runContainer } from './run-container.js';
import { runDirectory } from './run-directory.js';
import { runUsage } from './run-flags.js';

/** What container engines exit with when they, not the command, fail. */
const engineFailed = 125;
const cannotExecute = 126;
const notFound = 127;

/** `gantry run`. @returns the exit code: the command's, or 125 to 127 when it did not run. */
export async function runCommand(argv: readonly string[], streams: Streams): Promise<number> {
  const interruption = new Interruption();
  try {
    const run = parseRun(argv);
    if (run.has('help')) {
      streams.stdout.write(`${runUsage}\n`);
      return 0;
    }
    const plan = planRun(run);
    const host = run.text('host');
    if (host !== undefined) return await runContainer(new EngineClient(host), plan, { streams, interruption });
    return await withOwnEngine(plan, run.text('directory'), { streams, interruption });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    streams.stderr.write(`gantry: ${message.trimEnd()}\n`);
    return Interruption.exitCodeOf(error) ?? exitCodeOf(error, message);
  } finally {
    interruption.release();
  }
}

async function withOwnEngine(
  plan: RunPlan,
  base: string | undefined,
  around: { readonly streams: Streams; readonly interruption: Interruption },
): Promise<number> {
  checkPrograms();
  // Not before it is needed: the kernel takes its time to load.
  const { createEngine } = await import('../engine/create-engine.js');
  const { directory, lock } = await runDirectory(base);
  try {
    const log = debugLog(around.streams.stderr);
    const containers = plan.isKept ? 'survive' : 'end';
    const engine = await createEngine({ directory, containers, ...(log && { log }) });
    try {
      return await runContainer(engine, plan, around);
    } finally {
      await engine.close();
    }
  } finally {
    await lock.release();
  }
}

function exitCodeOf(error: unknown, message: string): number {
  if (!ApiError.is(error)) return engineFailed;
  if (/executable file not found|no such file or directory/i.test(message)) return notFound;
  return /permission denied/i.test(message) ? cannotExecute : engineFailed;
}
