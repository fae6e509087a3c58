import type { ContainerLogs } from '@gantry/container-logs/service';
import type { RuntimeDriver, StorageDriver } from '@gantry/core/contracts';
import type { DriverSet, Logger } from '@gantry/core/driver';
import type { ImageService } from '@gantry/images/service';
import type { NetworkService } from '@gantry/networks/service';
import type { VolumeService } from '@gantry/volumes/service';
import type { ContainerEvents } from './areas/container-events.js';
import type { Clock } from './clock.js';
import type { HostConfiguration } from './configuration/host-configuration.js';
import type { ContainerLookup } from './container-lookup.js';
import type { OciBundles } from './oci/bundles.js';
import type { ContainerRecord } from './record.js';
import type { ExitListeners } from './runs/exit-listeners.js';
import type { ContainerStore } from './store/store.js';
import type { Attachments } from './streams/attachments.js';
import type { ContainerWire } from './wire/container-wire.js';

/** What the verbs of this area work with. */
export interface Parts {
  readonly store: ContainerStore;
  /** The same containers, as those see them who only look up. */
  readonly containers: ContainerLookup;
  readonly runtimes: DriverSet<RuntimeDriver>;
  readonly storages: DriverSet<StorageDriver>;
  readonly images: ImageService;
  readonly volumes: VolumeService;
  readonly networks: NetworkService;
  readonly configuration: HostConfiguration;
  readonly bundles: OciBundles;
  readonly wire: ContainerWire;
  readonly events: ContainerEvents;
  readonly exitListeners: ExitListeners;
  readonly logs: ContainerLogs;
  readonly attachments: Attachments;
  readonly clock: Clock;
  /** Aborts when the engine stops: nothing new is begun. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
  /** Holds a directory for each container. */
  readonly root: string;
  /** Copies a directory's content into an empty one, ownership and all. */
  copyTree(from: string, to: string): Promise<void>;
}

/** The container's own directory: logs, hosts, hostname, resolv.conf. */
export const directoryOf = (parts: Pick<Parts, 'root'>, id: string): string => `${parts.root}/${id}`;

/** The driver of that name; any other name is for the default driver to know, see `runtimeName`. */
export function runtimeOf({ runtimes }: Pick<Parts, 'runtimes'>, { hostConfig }: ContainerRecord): RuntimeDriver {
  const { Runtime = '' } = hostConfig;
  return runtimes.has(Runtime) ? runtimes.get(Runtime) : runtimes.get();
}

/** Which of the default driver's runtimes is asked for, such as `runc` or `crun`. */
export function runtimeName(
  { runtimes }: Pick<Parts, 'runtimes'>,
  { hostConfig }: ContainerRecord,
): string | undefined {
  const { Runtime = '' } = hostConfig;
  const isOtherDriver = runtimes.has(Runtime) && Runtime !== runtimes.defaultId;
  return Runtime === '' || isOtherDriver ? undefined : Runtime;
}

export const storageOf = ({ storages }: Pick<Parts, 'storages'>, record: ContainerRecord): StorageDriver =>
  storages.get(record.storageDriver);
