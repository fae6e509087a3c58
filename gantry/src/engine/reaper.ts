import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineOptions } from './engine-options.js';

/** What the reaper needs to create the engine again. */
export interface ReaperTask {
  readonly options: Pick<EngineOptions, 'directory' | 'name' | 'packages' | 'defaults' | 'drivers' | 'plugins'>;
  /** Of an engine that had a directory of its own. */
  readonly deletesDirectory: boolean;
}

const program = fileURLToPath(new URL('./reaper-main.js', import.meta.url));

/**
 * Starts a process that ends the containers of this program's engine when the program is killed: its input ends then. It has
 * a session of its own, so that what a terminal sends does not reach it.
 * @returns ends it, for an engine that was closed.
 */
export function startReaper(task: ReaperTask): () => Promise<void> {
  const reaper = spawn(process.execPath, [program, JSON.stringify(task)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exit = once(reaper, 'exit').catch(() => undefined); // one that cannot be started has nothing to end
  reaper.stdin.on('error', () => undefined); // it was killed
  reaper.unref();
  return async () => {
    reaper.ref();
    reaper.stdin.end('closed');
    await exit;
  };
}
