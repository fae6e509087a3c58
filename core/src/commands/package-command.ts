import { parseArgs } from 'node:util';
import type { Distribution } from '../configuration/distribution.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { internal, invalidArgument, unavailable } from '../errors/engine-error.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import { Kernel } from '../kernel/kernel.js';
import type { FindService } from '../kernel/points/driver-point.js';
import { settingsOf } from '../kernel/units/settings-of.js';
import { UserNamespaces } from '../kernel/user-namespaces/user-namespaces.js';
import { supplyCore } from '../supply/supply-core.js';
import { askDaemon, type ControlHandler, isWithoutDaemon } from './control-socket.js';
import { OfflineDrivers } from './offline-drivers.js';

/** Answers the commands that packages offer: a line at a time, then the exit code. */
export const packageCommandHandler = (kernel: Kernel): ControlHandler =>
  async function* ({ command, args }) {
    const offered = kernel.commands();
    const run = offered.get(command);
    if (run === undefined) {
      yield { known: ['check', 'driver', ...offered.keys()].sort() };
      return;
    }
    const lines = run(Array.isArray(args) ? args.map(String) : [])[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await lines.next();
      if (done) {
        yield { exitCode: value ?? 0 };
        return;
      }
      yield { line: value };
    }
  };

/**
 * `gantryd NAME`: a command of one of the packages that the daemon runs, or that offers it for when no daemon answers it.
 * Resolves to the exit code.
 */
export async function packageCommand(
  [command = '', ...rest]: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const { config: file, args } = options(command, rest);
  const configuration = await readConfiguration(file, [], distribution);
  const { execRoot } = parseKernelConfig(configuration.config);
  const offline = { configuration, configFile: file, distribution };
  /** What the daemon knows instead. */
  let known: readonly unknown[] | undefined;
  let unanswered: unknown;
  try {
    for await (const answer of askDaemon(execRoot, { command, args })) {
      if (answer.exitCode !== undefined) return Number(answer.exitCode);
      if (Array.isArray(answer.known)) known = answer.known;
      else print(String(answer.line));
    }
    if (known === undefined) throw unavailable(`the daemon on ${execRoot} ended before "${command}" did`);
  } catch (error) {
    if (!isWithoutDaemon(error)) throw error;
    unanswered = error;
  }
  const exitCode = await runOffline(command, args, print, { ...offline, isDaemonRunning: known !== undefined });
  if (exitCode !== undefined) return exitCode;
  if (known !== undefined) {
    throw invalidArgument(`unknown command "${command}"; this daemon knows ${known.join(', ')}`);
  }
  throw unavailable(`no daemon runs on ${execRoot} that could answer "${command}"; see gantryd --help`, {
    cause: unanswered,
  });
}

interface OfflineRun {
  readonly configuration: Awaited<ReturnType<typeof readConfiguration>>;
  readonly configFile: string | undefined;
  readonly distribution: Distribution;
  readonly isDaemonRunning: boolean;
}

/** @returns the exit code; undefined when no package of the configuration offers the command for this. */
async function runOffline(
  command: string,
  args: readonly string[],
  print: (line: string) => void,
  { configuration, configFile, distribution, isDaemonRunning }: OfflineRun,
): Promise<number | undefined> {
  const { config, from, extraFrom } = configuration;
  const { bundle, directory } = distribution;
  if (from !== directory || parseKernelConfig(config).extraPackages.length > 0) supplyCore(directory);
  const bundled = bundle !== undefined && { bundle: { entries: bundle, directory } };
  const kernel = new Kernel({ config, from, extraFrom, ...bundled });
  const units = await kernel.load();
  const run = units.map(({ offlineCommands }) => offlineCommands[command]).find((found) => found !== undefined);
  if (run === undefined) return undefined;
  const settings = settingsOf(units, kernel.config);
  const namespaces = new UserNamespaces();
  await namespaces.prepare(kernel.config);
  const drivers = new OfflineDrivers(units, kernel.config, makePort);
  const lines = run(args, {
    settings,
    configFile,
    isDaemonRunning,
    dataRoot: namespaces.dataRootIn(kernel.config.dataRoot),
    port: makePort,
    driver: (point) => drivers.open(point),
    ask: (asked, given) => askForLines(kernel.config.execRoot, asked, given),
  })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return value ?? 0;
      print(value);
    }
  } finally {
    await drivers.release();
  }
}

/** The lines of a command that the daemon answers. @throws EngineError `unavailable` when none runs. */
async function* askForLines(execRoot: string, command: string, args: readonly string[]): AsyncGenerator<string> {
  try {
    for await (const answer of askDaemon(execRoot, { command, args })) {
      if (answer.exitCode !== undefined) return;
      if (Array.isArray(answer.known)) throw invalidArgument(`this daemon does not know the command "${command}"`);
      yield String(answer.line);
    }
  } catch (error) {
    if (!isWithoutDaemon(error)) throw error;
    throw unavailable(`no daemon runs on ${execRoot} that could answer "${command}"`, { cause: error });
  }
  throw unavailable(`the daemon on ${execRoot} ended before "${command}" did`);
}

const makePort: FindService = (point) => {
  if (point.fallback === undefined) throw internal(`${point.name} has no fallback: only a running daemon has it`);
  return point.fallback(makePort);
};

/** Takes out where the configuration is; the rest is for the command. */
function options(command: string, rest: readonly string[]): { readonly config?: string; readonly args: string[] } {
  const { tokens } = parseArgs({
    args: [...rest],
    options: { config: { type: 'string' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  let config: string | undefined;
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name !== 'config') continue;
    if (token.value === undefined) throw invalidArgument(`gantryd ${command}: --config needs a file`);
    config = token.value;
    taken.add(token.index);
    if (token.inlineValue === false) taken.add(token.index + 1);
  }
  return { ...(config !== undefined && { config }), args: rest.filter((_, at) => !taken.has(at)) };
}
