import { parseArgs } from 'node:util';
import type { Distribution } from '../configuration/distribution.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { EngineError, messageOf, unavailable } from '../errors/engine-error.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import type { Kernel } from '../kernel/kernel.js';
import { askDaemon, type ControlHandler, isWithoutDaemon } from './control-socket.js';
import { formatTable } from './format-table.js';
import { findLeftMounts } from './left-mounts.js';

const checkUsage = [
  'usage: gantryd check [--config FILE] [--remove] [--discard NAME|all] [--json]',
  '',
  '  Lists the orphans that the running daemon finds on the disk: layers, uploads and the like that nothing refers to,',
  '  and quarantined records that could not be read. --remove removes the former, --discard (repeatable) deletes the',
  '  latter. Exits with 0 when nothing is left, otherwise with 1.',
].join('\n');

/** An orphan as the daemon reports it. */
interface ReportedOrphan {
  readonly owner: string;
  readonly what: string;
  readonly name: string;
  readonly reason: string;
  readonly bytes?: number;
  /** It could not be read, and may still be of use. */
  readonly isQuarantined?: true;
  /** Whether it was removed; absent when that was not requested. */
  readonly removed?: boolean;
  /** Why it was not. */
  readonly failure?: string;
}

/** Answers `check` in the daemon: the orphans its packages find, one at a time. */
export const checkHandler = (kernel: Kernel): ControlHandler =>
  async function* (request) {
    const ready = kernel.statuses().filter(({ state }) => state === 'ready');
    const running = ready.map(({ name }) => name);
    const mounts = (await findLeftMounts(kernel.config, running)).map((orphan) => ({ owner: 'kernel', orphan }));
    for (const { owner, orphan } of [...(await kernel.findOrphans()), ...mounts]) {
      const { what, name, reason, bytes, isQuarantined = false } = orphan;
      const reported = {
        owner,
        what,
        name,
        reason,
        ...(bytes !== undefined && { bytes }),
        ...(isQuarantined && { isQuarantined }),
      };
      if (isQuarantined ? !isNamed(request.discard, name) : request.remove !== true) {
        yield reported;
        continue;
      }
      const failure = await orphan.remove().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      yield { ...reported, removed: failure === undefined, ...(failure !== undefined && { failure }) };
    }
  };

const isNamed = (names: unknown, name: string): boolean =>
  Array.isArray(names) && (names.includes(name) || names.includes('all'));

/** `gantryd check`. Resolves to the exit code. */
export async function checkCommand(
  args: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const values = options(args);
  if (values.help === true) {
    print(checkUsage);
    return 0;
  }
  const { config } = await readConfiguration(values.config as string | undefined, [], distribution);
  const { execRoot } = parseKernelConfig(config);
  const found: ReportedOrphan[] = [];
  try {
    for await (const item of askDaemon(execRoot, {
      command: 'check',
      remove: values.remove === true,
      discard: values.discard ?? [],
    })) {
      found.push(item as unknown as ReportedOrphan);
    }
  } catch (error) {
    if (!isWithoutDaemon(error)) throw error;
    throw unavailable(`no daemon runs on ${execRoot}; what a crash left is removed when one starts`, { cause: error });
  }
  if (values.json === true) print(JSON.stringify(found, undefined, 2));
  else for (const line of report(found)) print(line);
  return found.every(({ removed }) => removed === true) ? 0 : 1;
}

function report(found: readonly ReportedOrphan[]): readonly string[] {
  if (found.length === 0) return ['no orphans found'];
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
