import { parseArgs } from 'node:util';
import { EngineError, messageOf } from '../errors/engine-error.js';

/** What the command line asked for. */
type Invocation =
  | { readonly action: 'help' }
  | { readonly action: 'version' }
  | {
      readonly action: 'run' | 'validate';
      readonly configFile: string | undefined;
      /** Configuration by flags, laid over the file's. */
      readonly settings: readonly Setting[];
    };

export interface Setting {
  readonly flag: string;
  /** Where it goes in the configuration. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Flags that set one key of the configuration each. */
const settingFlags = {
  'data-root': { path: ['dataRoot'], help: 'what survives a reboot (default /var/lib/gantry)' },
  'exec-root': { path: ['execRoot'], help: 'what does not: sockets, mounts (default /run/gantry)' },
  'userns-remap': { path: ['usernsRemap'], help: 'map ids of containers: default, user[:group] or uid[:gid]' },
  'log-level': { path: ['logLevel'], help: 'trace, debug, info, warn, error or silent' },
  host: {
    path: ['plugins', 'engine-api', 'hosts'],
    multiple: true,
    help: 'where to listen: unix:///run/gantry.sock, tcp://127.0.0.1:2376, fd:// (may repeat)',
  },
  'api-cors-header': {
    path: ['plugins', 'engine-api', 'apiCorsHeader'],
    help: 'web pages that may use the API: * or origins with commas between (default none)',
  },
  tlscacert: {
    path: ['plugins', 'engine-api', 'tls', 'ca'],
    help: 'PEM file: clients need a certificate signed by it',
  },
  tlscert: { path: ['plugins', 'engine-api', 'tls', 'cert'], help: 'PEM file with the certificate of tcp:// hosts' },
  tlskey: { path: ['plugins', 'engine-api', 'tls', 'key'], help: 'PEM file with its key' },
  group: { path: ['plugins', 'engine-api', 'group'], help: 'group that may use the Unix socket' },
} as const satisfies Record<string, { path: readonly string[]; help: string; multiple?: boolean }>;

export const usage = [
  'usage: gantryd [--config FILE] [--validate] [flags]',
  '       gantryd driver list|add|replace|remove|check|test ...',
  '       gantryd check [--remove] [--discard NAME|all] [--json] [--config FILE]',
  '       gantryd doctor [--json] [--config FILE]   looks at the host, and at the daemon when one runs',
  '       gantryd COMMAND [--config FILE]   a command of a package that the running daemon has, such as "console"',
  '',
  '  --config FILE      JSON configuration; without it the built-in defaults hold',
  '  --validate         check the configuration and exit',
  ...Object.entries(settingFlags).map(([name, { help }]) => `  --${name.padEnd(16)} ${help}`),
  '  --version, --help',
].join('\n');

/** @throws EngineError `invalid-argument` naming the flag. */
export function parseFlags(argv: readonly string[]): Invocation {
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        validate: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          Object.entries(settingFlags).map(([name, flag]) => [
            name,
            { type: 'string' as const, multiple: 'multiple' in flag, ...(name === 'host' && { short: 'H' }) },
          ]),
        ),
      },
    }));
  } catch (error) {
    throw new EngineError('invalid-argument', `${messageOf(error)}; see gantryd --help`, { cause: error });
  }
  if (values.help === true) return { action: 'help' };
  if (values.version === true) return { action: 'version' };
  const settings = Object.entries(settingFlags).flatMap(([name, { path }]) =>
    values[name] === undefined ? [] : [{ flag: `--${name}`, path, value: values[name] }],
  );
  return {
    action: values.validate === true ? 'validate' : 'run',
    configFile: values.config as string | undefined,
    settings,
  };
}

/**
 * Lays flags over a configuration file's content.
 * @throws EngineError `invalid-argument` for a key that is in both, naming it: neither may win silently.
 */
export function applySettings(
  file: Readonly<Record<string, unknown>>,
  settings: readonly Setting[],
): Record<string, unknown> {
  const merged = structuredClone(file) as Record<string, unknown>;
  for (const { flag, path, value } of settings) {
    let place = merged;
    for (const key of path.slice(0, -1)) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    const last = path[path.length - 1] as string;
    if (last in place) {
      throw new EngineError(
        'invalid-argument',
        `${path.join('.')} is given both by the flag ${flag} and in the configuration file; leave one out`,
      );
    }
    place[last] = value;
  }
  return merged;
}
