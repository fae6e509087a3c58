import type { ComponentType } from 'preact';
import { ContainerPages } from '../pages/containers/container-pages';
import { DaemonPages } from '../pages/daemon/daemon-pages';
import { DiskPages } from '../pages/disk/disk-pages';
import { EventPages } from '../pages/events/event-pages';
import { ImagePages } from '../pages/images/image-pages';
import { NetworkPages } from '../pages/networks/network-pages';
import { PluginPages } from '../pages/plugins/plugin-pages';
import { SwarmPages } from '../pages/swarm/swarm-pages';
import { VolumePages } from '../pages/volumes/volume-pages';

/** All pages but the first one. */
export const otherPages: Readonly<Record<string, ComponentType>> = {
  containers: ContainerPages,
  daemon: DaemonPages,
  disk: DiskPages,
  events: EventPages,
  images: ImagePages,
  networks: NetworkPages,
  plugins: PluginPages,
  swarm: SwarmPages,
  volumes: VolumePages,
};
