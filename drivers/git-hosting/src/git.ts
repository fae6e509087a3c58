import { EngineError } from '@gantry/core/errors';
import { type Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';

export interface GitOptions {
  readonly launcher?: Launcher;
  readonly signal?: AbortSignal;
}

/** Nothing of the host's or of anybody's home changes what git does, and git asks nobody. */
export const gitEnvironment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  HOME: '/nonexistent',
  LC_ALL: 'C',
} as const;

/** No program that a repository names runs. */
export const withoutHooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'] as const;

/** Runs git to its end. Rejects `unavailable` when it is not installed, `internal` with its last words. */
export async function git(args: readonly string[], { launcher, signal }: GitOptions = {}): Promise<string> {
  const result = await started(() =>
    (launcher ?? new SpawnLauncher()).run('git', [...withoutHooks, ...args], {
      env: gitEnvironment,
      ...(signal !== undefined && { signal }),
    }),
  );
  if (result.code === 0) return result.stdout.toString('utf8');
  const [command = ''] = args.filter((each) => !each.startsWith('-') && !each.startsWith('/'));
  throw new EngineError('internal', `git ${command}: ${result.stderr.toString('utf8').trim().slice(-2000)}`);
}

/** Says which package is missing when there is no git. */
export async function started<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    throw new EngineError('unavailable', 'git is not installed: install the package "git"', { cause: error });
  }
}
