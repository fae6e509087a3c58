import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Distribution } from '../configuration/distribution.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { EngineError, invalidArgument, messageOf } from '../errors/engine-error.js';
import { Kernel } from '../kernel/kernel.js';
import { loadPackage } from '../kernel/loading/load-package.js';
import { readManifest } from '../kernel/loading/manifest.js';
import type { Unit } from '../kernel/units/unit.js';
import type { UnitStatus } from '../kernel/units/unit-statuses.js';
import { changePackages } from './change-packages.js';
import { checkDriver } from './check-driver.js';
import { readReport } from './engine-report.js';
import { formatTable } from './format-table.js';

const driverUsage = [
  'usage: gantryd driver list [--config FILE] [--json]',
  '       gantryd driver add PACKAGE --config FILE [--section NAME=JSON]',
  '       gantryd driver replace PACKAGE --config FILE [--section NAME=JSON]',
  '       gantryd driver remove NAME --config FILE',
  '       gantryd driver check PACKAGE',
  '       gantryd driver test PACKAGE [options of the conformance kit]',
  '',
  '  list    the packages of the configuration, with what became of each when a daemon runs',
  '  add     installs a package beside the configuration FILE, adds it there, and starts it in the daemon that runs;',
  '          PACKAGE is what "npm install" takes: name, name@version, or the path of a directory or an archive;',
  '          --section (repeatable) configures what it holds: volume/nfs={"server":"192.0.2.1"}',
  '  replace installs another version, which takes over while the daemon runs: calls wait, and none is refused',
  '  remove  stops a package, by its name or that of a driver, and takes it out of FILE, unless something uses it',
  '  check   whether this engine can load a package, by name or path, and its drivers have the methods of their contract',
  '  test    runs the conformance kit on the drivers of a package; "test --help" lists its options',
].join('\n');

/** `gantryd driver`: what operators and authors of drivers ask about packages. Resolves to the exit code. */
export async function driverCommand(
  args: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const [verb, ...rest] = args;
  switch (verb) {
    case 'list':
      return listDrivers(rest, print, distribution);
    case 'add':
    case 'replace':
    case 'remove':
      return changePackages(verb, rest, print, distribution);
    case 'check':
      return checkPackage(rest, print);
    case 'test':
      return testPackage(rest, print);
    case '--help':
    case '-h':
      print(driverUsage);
      return 0;
    default:
      throw invalidArgument(
        `gantryd driver ${verb ?? ''}: list, add, replace, remove, check or test is wanted; see gantryd driver --help`,
      );
  }
}

async function listDrivers(
  args: readonly string[],
  print: (line: string) => void,
  distribution: Distribution,
): Promise<number> {
  const { values } = parseOptions(args, { config: { type: 'string' }, json: { type: 'boolean' } });
  const { config, from, extraFrom } = await readConfiguration(values.config as string | undefined, [], distribution);
  const kernel = new Kernel({ config, from, extraFrom });
  const report = await readReport(kernel.config.execRoot);
  const units = report?.units ?? [...(await kernel.load()).map(declared), ...kernel.unloadable];
  if (values.json === true) {
    print(JSON.stringify(units, undefined, 2));
    return 0;
  }
  const rows = units.map(({ name, state, package: origin, version, isDefault, capabilities, reason }) => [
    `${name}${isDefault === true ? ' *' : ''}`,
    report === undefined && state !== 'failed' ? 'not running' : state,
    `${origin} ${version}`.trim(),
    reason ?? formatCapabilities(capabilities),
  ]);
  for (const line of formatTable(['NAME', 'STATE', 'PACKAGE', 'CAPABILITIES'], rows)) print(line);
  return 0;
}

const declared = ({ name, package: origin }: Unit): UnitStatus => ({
  name,
  package: origin.name,
  version: origin.version,
  state: 'ready',
});

const formatCapabilities = (capabilities: UnitStatus['capabilities']): string =>
  Object.entries(capabilities ?? {})
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? name : `${name}=${String(value)}`))
    .join(' ');

async function checkPackage(args: readonly string[], print: (line: string) => void): Promise<number> {
  const { positionals } = parseOptions(args, {}, true);
  const specifier = onePackage(positionals);
  for (const unit of await loadPackage(await asSpecifier(specifier), process.cwd(), false)) {
    const { version } = unit.package;
    const kind = unit.kind;
    print(
      `${unit.name}: ${kind === undefined ? 'a plugin' : `keeps ${kind.kind}/${kind.version.major}.${kind.version.minor}`}, version ${version}`,
    );
    const keys = Object.keys((unit.configSchema.properties as object | undefined) ?? {});
    print(`  configuration: ${keys.length === 0 ? 'none' : keys.join(', ')}`);
    const unchecked = await checkDriver(unit);
    if (unchecked !== undefined) print(`  methods: not checked: ${unchecked}`);
  }
  print('the package can be loaded');
  return 0;
}

interface ConformanceRunner {
  main(args: readonly string[], print: (line: string) => void): Promise<number>;
}

/** The kit is for tests, so it comes with the package that is tested and not with the engine. */
async function testPackage(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [specifier, ...options] = args;
  if (specifier === undefined) throw invalidArgument('gantryd driver test: the name or path of a package is wanted');
  if (specifier.startsWith('-')) return (await loadRunner(process.cwd())).main(args, print);
  const { directory } = await readManifest(await asSpecifier(specifier), process.cwd());
  return (await loadRunner(directory)).main([directory, ...options], print);
}

async function loadRunner(directory: string): Promise<ConformanceRunner> {
  const kit = '@gantry/conformance/runner';
  const places = [directory, process.cwd(), fileURLToPath(new URL('.', import.meta.url))];
  for (const place of places) {
    try {
      const file = createRequire(path.join(place, 'noop.js')).resolve(kit);
      return (await import(pathToFileURL(file).href)) as ConformanceRunner;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new EngineError(
    'unavailable',
    `the conformance kit is not installed: run "npm install --save-dev @gantry/conformance" in ${directory}`,
  );
}

/** On a command line a directory need not begin with `./`. */
async function asSpecifier(text: string): Promise<string> {
  const directory = path.resolve(text);
  return access(path.join(directory, 'package.json')).then(
    () => directory,
    () => text,
  );
}

function onePackage(positionals: readonly string[]): string {
  const [specifier, ...rest] = positionals;
  if (specifier === undefined || rest.length > 0) {
    throw invalidArgument('gantryd driver check: the name or path of one package is wanted');
  }
  return specifier;
}

function parseOptions(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options: options ?? {}, allowPositionals });
  } catch (error) {
    throw new EngineError('invalid-argument', `${messageOf(error)}; see gantryd driver --help`, { cause: error });
  }
}
