import path from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigurationFile } from '../configuration/configuration-file.js';
import type { Distribution } from '../configuration/distribution.js';
import { type Configuration, configurationOf } from '../configuration/read-configuration.js';
import { EngineError, invalidArgument, messageOf, unavailable } from '../errors/engine-error.js';
import { parseKernelConfig } from '../kernel/configuration/kernel-config.js';
import { Kernel } from '../kernel/kernel.js';
import { type ChangedPackages, type PackageChange, PackageChanges } from '../packages/package-changes.js';
import { type InstalledPackage, PackageStore } from '../packages/package-store.js';
import { supplyCore } from '../supply/supply-core.js';
import { isRecord } from '../values/is-record.js';
import { checkDriver } from './check-driver.js';
import { askDaemon, isWithoutDaemon } from './control-socket.js';

type Action = PackageChange['action'];

/** `gantryd driver add`, `replace` and `remove`. Resolves to the exit code. */
export async function changePackages(
  action: Action,
  args: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const { specifier, configFile, sections } = parse(action, args);
  const file = new ConfigurationFile(configFile);
  const { content } = await file.read();
  const sources = { configFile, settings: [], distribution };
  const { execRoot } = parseKernelConfig(configurationOf(content, sources).config);
  const offline = new PackageChanges(file, sources, (configuration, commit) =>
    applyOffline(configuration, commit, distribution),
  );
  const make = (change: PackageChange) => makeChange(change, { execRoot, configFile, offline });
  if (action === 'remove') {
    report(specifier, await make({ action, name: specifier }), print);
    return 0;
  }
  const store = new PackageStore(file.directory);
  const installed = await store.install(specifier, process.cwd());
  const { name, version, entry } = installed;
  try {
    report(`${name} ${version}`, await make({ action, name, entry, sections }), print);
    return 0;
  } catch (error) {
    await discardUnnamed(store, installed, file);
    throw error;
  }
}

interface Change extends ChangedPackages {
  /** Whether a daemon has made it already. */
  readonly isLive: boolean;
}

interface Makers {
  readonly execRoot: string;
  readonly configFile: string;
  readonly offline: PackageChanges;
}

/** The daemon makes the change; where none runs, its next start finds it made. */
async function makeChange(change: PackageChange, { execRoot, configFile, offline }: Makers): Promise<Change> {
  try {
    for await (const { changed } of askDaemon(execRoot, {
      ...change,
      command: 'driver',
      configFile: path.resolve(configFile),
    })) {
      if (changed !== undefined) return { ...(changed as ChangedPackages), isLive: true };
    }
  } catch (error) {
    if (!isWithoutDaemon(error)) throw error;
    return { ...(await offline.make(change)), isLive: false };
  }
  throw unavailable(
    `the daemon on ${execRoot} ended before it answered; its next start reads ${configFile}, which has the change or not`,
  );
}

/** Loads what a daemon would load, and creates the drivers that were not there before to check their methods. */
async function applyOffline(
  { config, from, extraFrom }: Configuration,
  commit: () => Promise<unknown>,
  { bundle, directory }: Distribution,
): Promise<ChangedPackages> {
  supplyCore(directory);
  const bundled = bundle !== undefined && { bundle: { entries: bundle, directory } };
  const kernel = new Kernel({ config, from, extraFrom, ...bundled });
  const units = await kernel.load();
  for (const unit of units.filter((each) =>
    each.package.directory?.includes(`${path.sep}gantry-packages${path.sep}`),
  )) {
    await checkDriver(unit, kernel.config);
  }
  await commit();
  return { joined: [], replaced: [], left: [] };
}

/** What the configuration does not name is not used by the next start either. */
async function discardUnnamed(
  store: PackageStore,
  installed: InstalledPackage,
  file: ConfigurationFile,
): Promise<void> {
  const { text } = await file.read();
  if (!text.includes(JSON.stringify(installed.entry))) await store.discard(installed);
}

function report(what: string, { isLive, joined, replaced, left }: Change, print: (line: string) => void): void {
  if (!isLive) print(`${what}: the configuration is changed; no daemon runs, the next start makes it so`);
  if (joined.length > 0) print(`${what}: ${joined.join(', ')} joined`);
  if (replaced.length > 0) print(`${what}: ${replaced.join(', ')} replaced`);
  if (left.length > 0) print(`${what}: ${left.join(', ')} left`);
}

function parse(action: Action, args: readonly string[]) {
  const command = `gantryd driver ${action}`;
  const { values, positionals } = parsed(args);
  const [specifier, ...rest] = positionals;
  if (specifier === undefined || rest.length > 0) {
    const wanted =
      action === 'remove' ? 'the name of one package or driver' : 'one package, by name, name@version or path,';
    throw invalidArgument(`${command}: ${wanted} is wanted`);
  }
  const { config: configFile, section = [] } = values;
  if (configFile === undefined) {
    throw invalidArgument(`${command}: --config FILE is wanted: the file that names the packages of the daemon`);
  }
  if (action === 'remove' && section.length > 0) throw invalidArgument(`${command}: --section is not accepted`);
  return { specifier, configFile, sections: Object.fromEntries(section.map(parseSection)) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { config: { type: 'string' }, section: { type: 'string', multiple: true } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new EngineError('invalid-argument', `${messageOf(error)}; see gantryd driver --help`, { cause: error });
  }
}

function parseSection(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1)
    throw invalidArgument(`--section ${text}: NAME=JSON is wanted, such as volume/nfs={"server":"192.0.2.1"}`);
  let section: unknown;
  try {
    section = JSON.parse(text.slice(at + 1));
  } catch (error) {
    throw invalidArgument(`--section ${text}: ${messageOf(error)}`, { cause: error });
  }
  // Before npm runs.
  if (!isRecord(section)) throw invalidArgument(`--section ${text}: a JSON object is wanted`);
  return [text.slice(0, at), section];
}
