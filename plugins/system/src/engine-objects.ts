import { ClusterInfo } from '@gantry/cluster/service';
import { ContainerHost, ContainerService } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { EventReaders } from '@gantry/events/service';
import { ImageExchange, ImageService, type ImageSourceSettings } from '@gantry/images/service';

/** What info counts, and the settings of the areas that it shows. */
@injectable()
export class EngineObjects {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerHost.token) private readonly containerHost: ContainerHost,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(ClusterInfo.token) private readonly cluster: ClusterInfo,
    @inject(EventReaders.token) private readonly readers: EventReaders,
  ) {}

  counts() {
    const { total, running, paused, stopped } = this.containers.counts();
    return {
      Containers: total,
      ContainersRunning: running,
      ContainersPaused: paused,
      ContainersStopped: stopped,
      Images: this.images.count,
      NEventsListener: this.readers.readers,
    };
  }

  initBinary(): string {
    return this.containerHost.initBinary();
  }

  /** Spec: info record, `Swarm`, with the fields that later clients expect. */
  swarm(): Readonly<Record<string, unknown>> {
    return this.cluster.describe();
  }

  swarmWarnings(): readonly string[] {
    return this.cluster.warnings;
  }

  /** Clients expect null instead of an empty list. */
  genericResources(): ClusterInfo['genericResources'] | null {
    const { genericResources: offered } = this.cluster;
    return offered.length === 0 ? null : offered;
  }

  /** What this host has for containers. */
  containerFacts(): Pick<ContainerHost, 'limits' | 'securityOptions'> {
    return this.containerHost;
  }

  /** Devices that containers can request. */
  devices(): ReturnType<ContainerHost['devices']> {
    return this.containerHost.devices();
  }

  /** How images are fetched; undefined for an engine without a registry client. */
  sourceSettings(): ImageSourceSettings | undefined {
    return this.exchange.sourceSettings();
  }
}
