import { createHash } from 'node:crypto';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readDistribution } from '../read-distribution.js';
import type { EngineOptions } from './engine-options.js';
import { cgroupParentOf, isolatedSections, type Sections } from './isolated-sections.js';

type PackageEntry = NonNullable<EngineOptions['packages']>[number];

interface EngineConfiguration {
  /** As in the configuration file. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where packages are looked for. */
  readonly from: string;
  readonly execRoot: string;
  readonly name: string;
  readonly cgroupParent: string;
  /** Whether packages are to be loaded that do not belong to the distribution. */
  readonly hasForeignPackages: boolean;
}

/** Notifies the service manager of the host, which has started the program and not the engine. */
const notEmbedded = ['@gantry/service-manager'];

/** The configuration of an engine whose files are in a directory. @throws TypeError naming the option that is wrong. */
export function engineConfiguration(directory: string, options: EngineOptions): EngineConfiguration {
  const { config: distributed, directory: from } = readDistribution();
  const { use = [], drivers = {}, plugins = {} } = options;
  const all = (distributed.packages as readonly PackageEntry[]).filter((entry) => !notEmbedded.includes(nameOf(entry)));
  const packages = options.packages?.map(withAbsolutePath) ?? (use.length > 0 ? [] : all);
  const isWhole = isDeepStrictEqual(packages, all);
  const names = packages.map(nameOf);
  const ids = use.map(({ id }) => id);
  const name = options.name ?? defaultName(directory);
  if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,14}$/.test(name)) {
    throw new TypeError(`name: "${name}" is not a letter and up to 14 letters, digits, "_" and "-"`);
  }
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(runtimeDirectory(), name) };
  const loads = {
    driver: (key: string) =>
      names.includes(`@gantry/${key.replace('/', '-')}`) || ids.includes(key.split('/')[1] ?? ''),
    plugin: (id: string) => names.includes(`@gantry/${id}`) || ids.includes(id),
  };
  const runtime = drivers['runtime/runc'] ?? {};
  const isolated = isolatedSections({ name, execRoot: roots.execRoot }, loads, runtime);
  const defaults = isWhole || options.packages !== undefined ? { ...(distributed.defaults as object) } : {};
  return {
    config: {
      ...roots,
      packages,
      defaults: { ...defaults, ...options.defaults },
      drivers: merged(isolated.drivers, drivers),
      plugins: merged({ ...isolated.plugins, 'engine-api': { hosts: options.hosts ?? [] } }, plugins),
    },
    from,
    execRoot: roots.execRoot,
    name,
    hasForeignPackages: names.some((each) => !all.map(nameOf).includes(each)),
    cgroupParent: String(runtime.cgroupParent ?? cgroupParentOf(name, runtime.cgroupDriver)),
  };
}

/** Emptied when the host boots: what is there refers to processes and mounts. */
const runtimeDirectory = (): string =>
  process.env.GANTRY_ROOTLESS === undefined ? '/run' : (process.env.XDG_RUNTIME_DIR ?? '/run');

const nameOf = (entry: PackageEntry): string => (typeof entry === 'string' ? entry : entry.package);

/** A path means what it means to the program, which is not in the directory where packages are looked for by name. */
function withAbsolutePath(entry: PackageEntry): PackageEntry {
  const name = nameOf(entry);
  if (!name.startsWith('.')) return entry;
  return typeof entry === 'string' ? path.resolve(name) : { ...entry, package: path.resolve(name) };
}

/** The same for the same directory, so that the next engine there finds the links and rules of this one. */
const defaultName = (directory: string): string =>
  `gantry${createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 8)}`;

const merged = (below: Sections, above: Sections): Sections => ({
  ...below,
  ...Object.fromEntries(Object.entries(above).map(([key, section]) => [key, { ...below[key], ...section }])),
});
