import { parseArgs } from 'node:util';
import { readConfiguration } from '../configuration/read-configuration.js';
import { EngineError, invalidArgument, messageOf, unavailable } from '../errors/engine-error.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import type { Kernel } from '../kernel/kernel.js';
import { askDaemon, type ControlHandler } from './control-socket.js';
import { formatTable } from './table.js';

const checkUsage = [
  'usage: gantryd check [--config FILE] [--remove] [--discard NAME|all] [--json]',
  '',
  '  Asks the daemon that runs what is left over on the disk: layers, uploads and the like that nothing needs any',
  '  more, and records that could not be read and were set aside. With --remove the former are removed, with --discard',
  '  (as often as wanted) the latter. Ends with 0 when nothing is left then, with 1 when something is.',
].join('\n');

/** Something left over, as the daemon tells it. */
interface Told {
  readonly owner: string;
  readonly what: string;
  readonly name: string;
  readonly reason: string;
  readonly bytes?: number;
  /** It could not be read, and may be of use yet. */
  readonly isQuarantined?: true;
  /** Whether it was removed; absent when that was not asked for. */
  readonly removed?: boolean;
  /** Why it was not. */
  readonly failure?: string;
}

/** Answers `check` of a daemon's own: what its packages find left over, one at a time. */
export const checkHandler = (kernel: Kernel): ControlHandler =>
  async function* (request) {
    if (request.command !== 'check') throw invalidArgument(`the daemon knows no command "${request.command}"`);
    for (const { owner, orphan } of await kernel.findOrphans()) {
      const { what, name, reason, bytes, isQuarantined = false } = orphan;
      const told = {
        owner,
        what,
        name,
        reason,
        ...(bytes !== undefined && { bytes }),
        ...(isQuarantined && { isQuarantined }),
      };
      if (isQuarantined ? !isNamed(request.discard, name) : request.remove !== true) {
        yield told;
        continue;
      }
      const failure = await orphan.remove().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      yield { ...told, removed: failure === undefined, ...(failure !== undefined && { failure }) };
    }
  };

const isNamed = (names: unknown, name: string): boolean =>
  Array.isArray(names) && (names.includes(name) || names.includes('all'));

/** `gantryd check`. Resolves to the exit code. */
export async function checkCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  const values = options(args);
  if (values.help === true) {
    print(checkUsage);
    return 0;
  }
  const { config } = await readConfiguration(values.config as string | undefined, []);
  const { execRoot } = parseKernelConfig(config);
  const found: Told[] = [];
  try {
    for await (const item of askDaemon(execRoot, {
      command: 'check',
      remove: values.remove === true,
      discard: values.discard ?? [],
    })) {
      found.push(item as unknown as Told);
    }
  } catch (error) {
    if (!['ENOENT', 'ECONNREFUSED'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    throw unavailable(`no daemon runs on ${execRoot}; what a crash left is removed when one starts`, { cause: error });
  }
  if (values.json === true) print(JSON.stringify(found, undefined, 2));
  else for (const line of report(found)) print(line);
  return found.every(({ removed }) => removed === true) ? 0 : 1;
}

function report(found: readonly Told[]): readonly string[] {
  if (found.length === 0) return ['nothing is left over'];
  const rows = found.map(({ owner, what, name, reason, bytes, removed, failure }) => [
    owner,
    what,
    name,
    bytes === undefined ? '' : String(bytes),
    removed === true ? 'removed' : failure === undefined ? reason : `not removed: ${failure}`,
  ]);
  return formatTable(['PACKAGE', 'WHAT', 'NAME', 'BYTES', 'REASON'], rows);
}

function options(args: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({
      args: [...args],
      options: {
        config: { type: 'string' },
        remove: { type: 'boolean' },
        discard: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new EngineError('invalid-argument', `${messageOf(error)}; see gantryd check --help`, { cause: error });
  }
}
