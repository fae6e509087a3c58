import type { DriverSet } from '@gantry/core/driver';
import type { ExternalPlugin } from '../service.js';

/** A plugin as a driver of one kind. */
export interface DriverAdapter {
  readonly driver: AdaptedDriver;
  /** Adds the driver to its set. @returns removes it. @throws EngineError `conflict` for a name in use. */
  join(): () => void;
}

interface AdaptedDriver {
  /** What of it is in use, with its users. */
  readonly uses: readonly string[];
  loadCapabilities?(): Promise<void>;
}

/** Makes plugins drivers of one kind. */
export interface KindAdapter {
  adapt(plugin: ExternalPlugin): DriverAdapter;
  /** Has the set ask for drivers that are not there. @returns ends that. */
  addFinder(find: (name: string) => Promise<void>): () => void;
}

/** A driver that joins its set under the plugin's name and aliases. */
export const memberOf = <T, D extends T & AdaptedDriver>(
  set: DriverSet<T>,
  { aliases, name }: ExternalPlugin,
  driver: D,
): DriverAdapter => ({
  driver,
  join: () => {
    const releases = [set.add(name, driver), ...aliases.map((alias) => set.alias(alias, name))];
    return () => {
      for (const release of releases) release();
    };
  },
});
