import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { FifoPlace, PluginClient, PluginPaths, Protocol } from '@gantry/lib-plugin-protocol';

/** Plugins of other processes, as members of the driver sets. */
export interface ExternalPlugins {
  /**
   * Makes a plugin a driver of every kind it implements, under its name. Rejects nothing and asks nothing: the plugin
   * need not answer yet. @throws EngineError `conflict` when a kind has a driver of that name; then it joined nowhere.
   */
  add(plugin: ExternalPlugin): Membership;
}

export interface ExternalPlugin {
  /** The id of its drivers, such as `vol` or `registry.example/vol:latest`. */
  readonly name: string;
  /** Other names it is asked for by. */
  readonly aliases: readonly string[];
  readonly client: PluginClient;
  readonly protocols: readonly Protocol[];
  /** Where paths that it names are. Default: where it says. */
  readonly paths?: PluginPaths;
  /** Where a FIFO of that name is made for it. Default: in a directory both see. */
  readonly fifoPlace?: (name: string) => FifoPlace;
}

/** A plugin's place in the driver sets. */
export interface Membership {
  /** What is in use of it, such as `2 mounted volumes`; undefined when nothing is. */
  readonly inUse: string | undefined;
  /** Asks the plugin what it can. Rejects when it does not answer. */
  learn(): Promise<void>;
  /** Takes it out of every set. Twice: does nothing. */
  leave(): void;
}

export const ExternalPlugins: ServicePoint<ExternalPlugins> = servicePoint<ExternalPlugins>('external-plugins');
