import { Mutex } from '../concurrency/mutex.js';
import type { ConfigurationFile } from '../configuration/configuration-file.js';
import { type Configuration, type ConfigurationSources, configurationOf } from '../configuration/read-configuration.js';
import { conflict, invalidArgument, notFound } from '../errors/engine-error.js';
import type { ReloadOptions } from '../kernel/kernel.js';
import { isRecord } from '../values/is-record.js';
import { type ConfiguredPackage, configuredPackages, unitNames } from './configured-packages.js';

/** A change of the packages that a configuration names. */
export type PackageChange =
  | {
      readonly action: 'add' | 'replace';
      /** The package's own name. */
      readonly name: string;
      /** What the configuration is to call it. */
      readonly entry: string;
      /** Parts of the configuration for what the package holds, by name, such as `volume/nfs`. */
      readonly sections: Readonly<Record<string, unknown>>;
    }
  | {
      readonly action: 'remove';
      /** Of the package, or of one of the drivers it holds. */
      readonly name: string;
    };

/** What a change came to. */
export interface ChangedPackages {
  readonly joined: readonly string[];
  readonly replaced: readonly string[];
  readonly left: readonly string[];
}

/**
 * Has a configuration hold, and calls `commit` at the moment from which a crash finishes the change instead of undoing
 * it. Rejects when it cannot hold; then nothing has changed.
 */
type ApplyConfiguration = (
  configuration: Configuration,
  commit: NonNullable<ReloadOptions['commit']>,
) => Promise<ChangedPackages>;

type Content = Readonly<Record<string, unknown>>;

/** Changes which packages a configuration file names: durably, and in the daemon where one runs. */
export class PackageChanges {
  readonly #mutex = new Mutex();

  constructor(
    private readonly file: ConfigurationFile,
    private readonly sources: ConfigurationSources,
    private readonly apply: ApplyConfiguration,
  ) {}

  /** Changes are made one after the other. Rejects with what is wrong; then nothing has changed. */
  make(change: PackageChange): Promise<ChangedPackages> {
    return this.#mutex.run(() => this.#make(change));
  }

  async #make(change: PackageChange): Promise<ChangedPackages> {
    const before = await this.file.read();
    const packages = await configuredPackages(configurationOf(before.content, this.sources));
    const after = this.#edit(before.content, change, packages);
    return this.apply(configurationOf(after, this.sources), () => this.file.replace(before, after));
  }

  #edit(content: Content, change: PackageChange, packages: readonly ConfiguredPackage[]): Content {
    const { name } = change;
    const holder = packages.find(({ manifest }) => manifest.name === name || namesIn(manifest).includes(name));
    if (change.action === 'add') {
      if (holder !== undefined) {
        throw conflict(
          `package ${name} is there already, in version ${holder.manifest.version}; use "gantryd driver replace"`,
        );
      }
      const { entry, sections } = change;
      return withSections({ ...content, extraPackages: [...listIn(content, 'extraPackages'), entry] }, sections);
    }
    if (holder === undefined) {
      throw notFound(`${this.file.file} names no package ${name}; there are: ${packages.map(nameOf).join(', ')}`);
    }
    const { list, index, manifest } = holder;
    if (!(list in content)) {
      throw conflict(
        `package ${manifest.name} is part of the engine; only packages that ${this.file.file} names are changed`,
      );
    }
    const entries = [...listIn(content, list)];
    if (change.action === 'replace') {
      const old = entries[index];
      entries[index] = isRecord(old) ? { ...old, package: change.entry } : change.entry;
      return withSections({ ...content, [list]: entries }, change.sections);
    }
    entries.splice(index, 1);
    return withoutSections({ ...content, [list]: entries }, manifest);
  }
}

const nameOf = ({ manifest }: ConfiguredPackage): string => manifest.name;

const namesIn = (manifest: ConfiguredPackage['manifest']): readonly string[] =>
  Object.values(unitNames(manifest)).flat();

const listIn = (content: Content, list: ConfiguredPackage['list']): readonly unknown[] =>
  (content[list] ?? []) as readonly unknown[];

/** Driver sections have a slash in their names. */
const tableOf = (name: string): 'drivers' | 'plugins' => (name.includes('/') ? 'drivers' : 'plugins');

function withSections(content: Content, sections: Readonly<Record<string, unknown>>): Content {
  let changed = content;
  for (const [name, section] of Object.entries(sections)) {
    if (!isRecord(section)) {
      throw invalidArgument(`the section "${name}" is ${JSON.stringify(section)}: a JSON object is wanted`);
    }
    const table = tableOf(name);
    changed = { ...changed, [table]: { ...tableIn(changed, table), [name]: section } };
  }
  return changed;
}

function withoutSections(content: Content, manifest: ConfiguredPackage['manifest']): Content {
  let changed = content;
  for (const name of namesIn(manifest)) {
    const table = tableOf(name);
    const { [name]: section, ...others } = tableIn(changed, table);
    if (section !== undefined) changed = { ...changed, [table]: others };
  }
  return changed;
}

const tableIn = (content: Content, table: 'drivers' | 'plugins'): Content => (content[table] ?? {}) as Content;
