import { EngineError } from '@gantry/core/errors';
import type { Launcher } from '@gantry/lib-linux/launcher';

export interface GitOptions {
  readonly launcher: Launcher;
  readonly signal?: AbortSignal;
}

/** Excludes the configuration of the host and of a home directory, and prompts. */
export const gitEnvironment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  HOME: '/nonexistent',
  LC_ALL: 'C',
} as const;

/** Disables the programs that a repository configures. */
export const withoutHooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'] as const;

/** Runs git until it exits. Rejects `unavailable` when it is not installed, `internal` with the end of its output. */
export async function git(args: readonly string[], { launcher, signal }: GitOptions): Promise<string> {
  const result = await withGitInstalled(() =>
    launcher.run('git', [...withoutHooks, ...args], {
      env: gitEnvironment,
      ...(signal !== undefined && { signal }),
    }),
  );
  if (result.code === 0) return result.stdout.toString('utf8');
  const [command = ''] = args.filter((each) => !each.startsWith('-') && !each.startsWith('/'));
  throw new EngineError('internal', `git ${command}: ${result.stderr.toString('utf8').trim().slice(-2000)}`);
}

/** Replaces a failed start by the name of the package to install. */
export async function withGitInstalled<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    throw new EngineError('unavailable', 'git is not installed: install the package "git"', { cause: error });
  }
}
