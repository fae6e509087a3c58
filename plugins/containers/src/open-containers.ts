import { ContainerLogs } from '@gantry/container-logs/service';
import {
  ArchiveDrivers,
  LogDrivers,
  type RuntimeDriver,
  RuntimeDrivers,
  StateDrivers,
  StorageDrivers,
} from '@gantry/core/contracts';
import { Clock, type DriverSet } from '@gantry/core/driver';
import type { PluginContext } from '@gantry/core/plugin';
import { ImageService } from '@gantry/images/service';
import { NetworkService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerArea } from './areas/container-area.js';
import { ContainerEvents } from './areas/container-events.js';
import { EngineLoggedContainers, loggedContainer } from './areas/logged-containers.js';
import { AttachableContainers } from './areas/network-containers.js';
import { HostConfiguration } from './configuration/host-configuration.js';
import type { ContainerLookup } from './container-lookup.js';
import type { ContainersConfig } from './containers-config.js';
import { readHostFacts } from './host/host-facts.js';
import { OciBundles } from './oci/bundles.js';
import type { Parts } from './parts.js';
import { adopt } from './recovery/adopt.js';
import { findOrphans } from './recovery/sweep.js';
import { ExitListeners } from './runs/exit-listeners.js';
import { watchExits } from './runs/exits.js';
import { ContainerStore } from './store/store.js';
import { tellUntold } from './store/untold.js';
import { Attachments } from './streams/attachments.js';
import { ContainerWire } from './wire/container-wire.js';

/** Puts the area together. `start` adopts what an earlier daemon left. */
export async function openContainers(context: PluginContext<ContainersConfig>) {
  const { lifetime, log } = context;
  const stopping = new AbortController();
  const parts = await collectParts(context, stopping.signal);
  const area = new ContainerArea(parts);
  lifetime.add(parts.images.addUsers({ usersOf: (id) => area.usersOfImage(id) }));
  lifetime.add(parts.volumes.addUsers({ usersOf: (name) => area.usersOfVolume(name) }));
  lifetime.add(parts.networks.addContainers(new AttachableContainers(parts)));
  lifetime.add(parts.logs.addContainers(new EngineLoggedContainers(parts)));
  let removeOrphans: () => Promise<void> = async () => undefined;
  return {
    area,
    async start(): Promise<void> {
      const began = performance.now();
      await tellUntold(parts, context.events);
      for (const [, runtime] of parts.runtimes.entries()) lifetime.add(watchExits(parts, runtime));
      removeOrphans = await findOrphans(parts);
      const adopted = await adopt(parts);
      const tookMs = Math.round(performance.now() - began);
      log.info({ event: 'containers.adopted', known: parts.store.size, ...adopted, tookMs }, 'containers adopted');
    },
    async ready(): Promise<void> {
      // In the background: clients do not wait for what is left over.
      void removeOrphans();
      parts.logs.sweep(area.list().map((record) => loggedContainer(parts, record)));
    },
    async stop(signal: AbortSignal): Promise<void> {
      stopping.abort();
      for (const container of parts.store.all()) container.cancelRestart?.();
      await settle(parts, signal);
      parts.attachments.close();
    },
  };
}

/** Lets what is under way come to its end, until the signal aborts. */
async function settle(parts: Parts, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const late = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const idle = [...parts.store.all()].map(async (container) => {
    await container.queue.run(async () => undefined);
    await container.released;
  });
  await Promise.race([Promise.all(idle), late]);
}

/**
 * Whether there is a runtime of that name. At the very first start they may have to prove themselves yet: until then every
 * name passes here, and one that there is not is refused at the start of the container.
 */
function namesOfRuntimes(runtimes: DriverSet<RuntimeDriver>): (name: string) => boolean {
  let known: readonly string[] | undefined;
  void runtimes
    .get()
    .describe()
    .then(
      (description) => {
        known = description.runtimes;
      },
      () => {
        known = [];
      },
    );
  return (name) => runtimes.has(name) || known === undefined || known.includes(name);
}

async function collectParts(context: PluginContext<ContainersConfig>, stopping: AbortSignal): Promise<Parts> {
  const { config, dirs, events, log, services } = context;
  const runtimes = services.drivers(RuntimeDrivers);
  const logDrivers = services.drivers(LogDrivers);
  const networks = services.service(NetworkService);
  const clock = services.service(Clock);
  const store = new ContainerStore(services.drivers(StateDrivers).get());
  const containers: ContainerLookup = { get: (reference) => store.get(reference).record };
  const host = await readHostFacts();
  const hasRuntime = namesOfRuntimes(runtimes);
  const configuration = new HostConfiguration({ host, networks, logDrivers, hasRuntime });
  const { capabilities } = host;
  const { cgroupParent } = config;
  const archive = services.drivers(ArchiveDrivers).get();
  return {
    store,
    containers,
    runtimes,
    storages: services.drivers(StorageDrivers),
    images: services.service(ImageService),
    volumes: services.service(VolumeService),
    networks,
    configuration,
    bundles: new OciBundles({ capabilities, configuration, ...(cgroupParent !== undefined && { cgroupParent }) }),
    wire: new ContainerWire(containers),
    events: new ContainerEvents(events),
    exitListeners: new ExitListeners(log),
    logs: services.service(ContainerLogs),
    attachments: new Attachments(clock, log),
    clock,
    stopping,
    log,
    root: dirs.root,
    copyTree: (from, to) => archive.copyTree(from, to),
  };
}
