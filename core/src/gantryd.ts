import path from 'node:path';
import { checkCommand, checkHandler } from './commands/check.js';
import { serveControl } from './commands/control-socket.js';
import { driverCommand } from './commands/driver-command.js';
import { type ChangeablePackages, driverHandler } from './commands/driver-handler.js';
import { removeReport, writeReport } from './commands/engine-report.js';
import { packageCommand, packageCommandHandler } from './commands/package-command.js';
import { readPreviousDrivers, writePreviousDrivers } from './commands/previous-drivers.js';
import { ConfigurationFile } from './configuration/configuration-file.js';
import { coreAlone, type Distribution } from './configuration/distribution.js';
import { parseFlags, usage } from './configuration/flags.js';
import {
  type Configuration,
  type ConfigurationSources,
  readConfiguration,
} from './configuration/read-configuration.js';
import { invalidArgument, messageOf } from './errors/engine-error.js';
import { parseKernelConfig } from './kernel/configuration/kernel-config.js';
import type { Reloaded } from './kernel/configuration/reload.js';
import { Kernel, type ReloadOptions } from './kernel/kernel.js';
import type { Logger } from './kernel/logging/logger.js';
import { PackageChanges } from './packages/package-changes.js';
import { PackageStore } from './packages/package-store.js';
import { DaemonLog } from './process/daemon-log.js';
import { IdleWatcher } from './process/idle-watcher.js';
import { installCrashPolicy } from './process/install-crash-policy.js';
import { LogDestination } from './process/log-destination.js';
import { RecentLines } from './process/recent-lines.js';
import { trimHeap } from './process/trim-heap.js';
import { supplyCore } from './supply/supply-core.js';
import { version } from './version.js';

/** Runs the daemon until a signal asks it to stop; resolves to the exit code. The only caller of `process.exit`. */
async function main(argv: readonly string[], distribution: Distribution): Promise<number> {
  if (argv[0] === 'check') return checkCommand(argv.slice(1), say, distribution);
  if (argv[0] === 'driver') return driverCommand(argv.slice(1), say, distribution);
  if (argv[0] !== undefined && !argv[0].startsWith('-')) return packageCommand(argv, say, distribution);
  const invocation = parseFlags(argv);
  if (invocation.action === 'help') return say(usage);
  if (invocation.action === 'version') return say(`gantryd ${version}`);
  const read = () => readConfiguration(invocation.configFile, invocation.settings, distribution);
  const { config, from, extraFrom } = await read();
  const { logLevel, packages, extraPackages, execRoot } = parseKernelConfig(config);
  if (from !== distribution.directory || extraPackages.length > 0) supplyCore(distribution.directory);
  if (packages.length === 0) throw invalidArgument('"packages" is empty: there is nothing to run');
  const destination = new LogDestination(2);
  const recentLog = new RecentLines(destination);
  const logs = new DaemonLog(logLevel, recentLog);
  const previousDrivers = await readPreviousDrivers(execRoot);
  const { bundle, directory } = distribution;
  const options = { config, from, extraFrom, previousDrivers, log: logs.root, recentLog };
  const kernel = new Kernel({ ...options, ...(bundle !== undefined && { bundle: { entries: bundle, directory } }) });
  if (invocation.action === 'validate') {
    await kernel.load();
    return say('the configuration is valid');
  }
  const { configFile, settings } = invocation;
  const sources = { configFile, settings, distribution };
  const flush = (): void => destination.end();
  installCrashPolicy({ log: logs.root, flush, exit: (code) => process.exit(code) });
  try {
    await runDaemon(kernel, { execRoot, logs, read, sources, code: bundle === undefined ? 'modules' : 'bundle' });
  } finally {
    flush();
  }
  return 0;
}

interface DaemonParts {
  readonly execRoot: string;
  readonly logs: DaemonLog;
  /** What the process runs. The compiled modules start at half the speed: a bundle older than they are is not used. */
  readonly code: 'bundle' | 'modules';
  /** The configuration as it is now. */
  readonly read: () => Promise<Configuration>;
  readonly sources: ConfigurationSources;
}

/** Runs a kernel from its start to its end. Rejects when it cannot start. */
async function runDaemon(kernel: Kernel, { execRoot, logs, read, sources, code }: DaemonParts): Promise<void> {
  const log: Logger = logs.root;
  const stopAsked = nextSignal();
  // Nothing else may hold the event loop: packages need not listen anywhere, and signals alone do not keep a process.
  const alive = setInterval(() => undefined, 2 ** 30);
  const began = performance.now();
  await kernel.start();
  // A full disk keeps no daemon from starting: the next start then checks the drivers of an earlier one.
  const recordDrivers = () =>
    writePreviousDrivers(execRoot, kernel.configuredDrivers()).catch((error: unknown) => {
      log.warn({ event: 'drivers.not-recorded', error }, 'failed to record the configured drivers');
    });
  await recordDrivers();
  const report = (): void => {
    writeReport(execRoot, kernel.statuses()).catch((error: unknown) => {
      log.warn({ event: 'report.failed', error }, 'failed to write the report for "gantryd driver list"');
    });
  };
  report();
  kernel.onDrivers(report);
  const apply = async ({ config, from, extraFrom }: Configuration, options: ReloadOptions = {}): Promise<Reloaded> => {
    if (from !== sources.distribution.directory || parseKernelConfig(config).extraPackages.length > 0) {
      supplyCore(sources.distribution.directory);
    }
    const reloaded = await kernel.reload(config, { from, extraFrom, ...options });
    logs.setLevel(kernel.config.logLevel);
    const rest = reloaded.waiting.length > 0 ? '; some changes wait for a restart' : '';
    log.info({ event: 'daemon.reloaded', ...reloaded }, `configuration reloaded${rest}`);
    report();
    await recordDrivers();
    return reloaded;
  };
  const packages = changeablePackages(sources, apply);
  const handlers = { check: checkHandler(kernel), driver: driverHandler(kernel, packages) };
  const packageCommands = packageCommandHandler(kernel);
  const endControl = await serveControl(execRoot, (request) =>
    (Object.hasOwn(handlers, request.command) ? handlers[request.command as keyof typeof handlers] : packageCommands)(
      request,
    ),
  );
  removeUnusedPackages(kernel, sources).catch((error: unknown) => {
    log.warn({ event: 'packages.not-removed', error }, 'failed to remove packages that are not used any more');
  });
  process.on('SIGHUP', () => {
    kernel.announceReload('reloadBegins');
    read()
      .then(apply)
      .catch((error: unknown) => {
        log.error({ event: 'daemon.reload-failed', error }, 'failed to reload the configuration; keeping the old one');
      })
      .finally(() => kernel.announceReload('reloadEnds'));
  });
  const idleWatcher = new IdleWatcher(async () => {
    trimHeap();
    await kernel.onIdle();
  });
  const tookMs = Math.round(performance.now() - began);
  log.info({ event: 'daemon.ready', version, code, tookMs }, 'ready');
  const signal = await stopAsked;
  log.info({ event: 'daemon.stopping', signal }, 'stopping; containers keep running');
  idleWatcher.stop();
  await endControl();
  await kernel.stop();
  await removeReport(execRoot);
  clearInterval(alive);
}

/** How commands change the packages of a daemon that has a configuration file. */
function changeablePackages(
  sources: ConfigurationSources,
  apply: (configuration: Configuration, options: ReloadOptions) => Promise<Reloaded>,
): ChangeablePackages | undefined {
  const { configFile } = sources;
  if (configFile === undefined) return undefined;
  const file = new ConfigurationFile(configFile);
  const changes = new PackageChanges(file, sources, (configuration, commit) =>
    apply(configuration, { isImmediate: true, commit }),
  );
  return { changes, configFile };
}

/** Nothing of an earlier daemon's packages is loaded in this one. */
async function removeUnusedPackages(kernel: Kernel, { configFile }: ConfigurationSources): Promise<void> {
  if (configFile === undefined) return;
  const { packages, extraPackages } = kernel.config;
  const entries = [...packages, ...extraPackages].map((entry) => (typeof entry === 'string' ? entry : entry.package));
  await new PackageStore(path.dirname(path.resolve(configFile))).removeUnused(entries);
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
}

function say(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** The daemon's program, from its arguments to its exit code. It does not resolve. */
export async function gantryd(argv: readonly string[], distribution: Distribution = coreAlone): Promise<never> {
  try {
    return process.exit(await main(argv, distribution));
  } catch (error) {
    process.stderr.write(`gantryd: ${messageOf(error)}\n`);
    if (process.env.GANTRY_DEBUG !== undefined) process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
    return process.exit(1);
  }
}
