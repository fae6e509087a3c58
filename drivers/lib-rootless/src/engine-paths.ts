import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MissingRequirement } from './missing-requirement.js';

/** Where an ordinary user's engine has its files unless it is configured otherwise, and where the launcher has its own. */
interface EnginePaths {
  /** Variables of the environment that the daemon takes as defaults. */
  readonly defaults: Readonly<Record<'GANTRY_DATA_ROOT' | 'GANTRY_EXEC_ROOT' | 'GANTRY_HOST', string>>;
  /** The launcher's. Engines with different exec roots have nothing in common. */
  readonly state: string;
}

/** @throws MissingRequirement when there is no directory for what does not survive a reboot. */
export function enginePaths(argv: readonly string[], env: NodeJS.ProcessEnv, home: string): EnginePaths {
  const { XDG_RUNTIME_DIR: runtime = '', XDG_DATA_HOME: data = join(home, '.local/share') } = env;
  if (!runtime.startsWith('/')) {
    throw new MissingRequirement(
      'XDG_RUNTIME_DIR is not set: log in with a session of your own (loginctl enable-linger keeps it), or set it to a directory that only you can write to',
    );
  }
  const execRoot = env.GANTRY_EXEC_ROOT ?? join(runtime, 'gantry');
  return {
    defaults: {
      GANTRY_DATA_ROOT: env.GANTRY_DATA_ROOT ?? join(data, 'gantry'),
      GANTRY_EXEC_ROOT: execRoot,
      GANTRY_HOST: env.GANTRY_HOST ?? `unix://${join(runtime, 'gantry.sock')}`,
    },
    state: `${configuredExecRoot(argv) ?? execRoot}.rootless`,
  };
}

/** The daemon reads both itself, and reports what is wrong with them. */
function configuredExecRoot(argv: readonly string[]): string | undefined {
  const options = { 'exec-root': { type: 'string' }, config: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...argv], options, strict: false });
  const { 'exec-root': execRoot, config } = values;
  if (typeof execRoot === 'string') return execRoot;
  if (typeof config !== 'string') return undefined;
  try {
    const file = JSON.parse(readFileSync(config, 'utf8')) as { readonly execRoot?: unknown };
    return typeof file.execRoot === 'string' ? file.execRoot : undefined;
  } catch {
    return undefined;
  }
}
