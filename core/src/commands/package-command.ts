import { parseArgs } from 'node:util';
import type { Distribution } from '../configuration/distribution.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { EngineError, invalidArgument, messageOf, unavailable } from '../errors/engine-error.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import type { Kernel } from '../kernel/kernel.js';
import { askDaemon, type ControlHandler, isWithoutDaemon } from './control-socket.js';

/** Answers the commands that packages offer, a line at a time. */
export const packageCommandHandler = (kernel: Kernel): ControlHandler =>
  async function* ({ command, args }) {
    const offered = kernel.commands();
    const run = offered.get(command);
    if (run === undefined) {
      const known = ['check', 'driver', ...offered.keys()].sort().join(', ');
      throw invalidArgument(`unknown command "${command}"; this daemon knows ${known}`);
    }
    for await (const line of run(Array.isArray(args) ? args.map(String) : [])) yield { line };
  };

/** `gantryd NAME`: a command of one of the packages that the daemon runs. Resolves to the exit code. */
export async function packageCommand(
  [command = '', ...rest]: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const { config: file, args } = options(command, rest);
  const { config } = await readConfiguration(file, [], distribution);
  const { execRoot } = parseKernelConfig(config);
  try {
    for await (const { line } of askDaemon(execRoot, { command, args })) print(String(line));
  } catch (error) {
    if (!isWithoutDaemon(error)) throw error;
    throw unavailable(`no daemon runs on ${execRoot} that could answer "${command}"; see gantryd --help`, {
      cause: error,
    });
  }
  return 0;
}

function options(command: string, rest: readonly string[]): { readonly config?: string; readonly args: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { config: { type: 'string' } },
      allowPositionals: true,
    });
    return { ...(values.config !== undefined && { config: values.config }), args: positionals };
  } catch (error) {
    throw new EngineError('invalid-argument', `gantryd ${command}: ${messageOf(error)}`, { cause: error });
  }
}
