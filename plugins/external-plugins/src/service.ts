import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { FifoPlace, PluginClient, PluginPaths, Protocol } from '@gantry/lib-plugin-protocol';

/** Plugins of other processes as drivers. */
export interface ExternalPlugins {
  /**
   * Makes a plugin a driver of every kind it implements, under its name, without calling the plugin.
   * @throws EngineError `conflict` when a kind has a driver of that name; then it joined no set.
   */
  add(plugin: ExternalPlugin): Membership;
}

export interface ExternalPlugin {
  /** The id of its drivers, such as `vol` or `registry.example/vol:latest`. */
  readonly name: string;
  /** Other names for the same drivers. */
  readonly aliases: readonly string[];
  readonly client: PluginClient;
  readonly protocols: readonly Protocol[];
  /** Translates paths that it names to host paths. Default: they are host paths. */
  readonly paths?: PluginPaths;
  /** Chooses the paths of a FIFO. Default: in a directory of the host. */
  readonly fifoPlace?: (name: string) => FifoPlace;
}

/** The membership of a plugin in the driver sets. */
export interface Membership {
  /** What is in use, such as `volume data by 4f1c…`; undefined when nothing is. */
  readonly inUse: string | undefined;
  /** Queries the plugin's capabilities. Rejects when it does not answer. */
  loadCapabilities(): Promise<void>;
  /** Removes it from every set. Idempotent. */
  leave(): void;
}

export const ExternalPlugins: ServicePoint<ExternalPlugins> = servicePoint<ExternalPlugins>('external-plugins');
