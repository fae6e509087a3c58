import path from 'node:path';
import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import type { LiveFacts } from './live-facts.js';
import { toNetworkSettings } from './network-settings.js';
import type { ShownRecord } from './shown.js';
import { toConfig } from './to-config.js';
import { toHostConfig } from './to-host-config.js';
import { toMounts } from './to-mounts.js';
import { toState } from './to-state.js';

/** Spec: container inspect record. */
export function toInspect(record: ContainerRecord, live: LiveFacts, containers: ContainerLookup) {
  const files = networkFileDirectory(record, live, containers);
  const file = (name: string): string => (files === undefined ? '' : `${files}/${name}`);
  return {
    Id: record.id,
    Created: record.createdAt,
    Path: record.path,
    Args: record.args,
    State: toState(record.state, live.health),
    Image: record.imageId,
    ResolvConfPath: file('resolv.conf'),
    HostnamePath: file('hostname'),
    HostsPath: file('hosts'),
    LogPath: record.everStarted ? live.logPath : '',
    Name: `/${record.name}`,
    RestartCount: record.restartCount,
    Driver: record.storageDriver,
    Platform: 'linux',
    MountLabel: record.labels?.mount ?? '',
    ProcessLabel: record.labels?.process ?? '',
    AppArmorProfile: live.appArmorProfile ?? '',
    ExecIDs: live.execIds.length === 0 ? null : live.execIds,
    HostConfig: toHostConfig(record, containers, live.cgroupNamespace),
    GraphDriver: { Data: live.storage ?? null, Name: record.storageDriver },
    ...(live.sizes !== undefined && { SizeRw: live.sizes.writable, SizeRootFs: live.sizes.rootfs }),
    Mounts: toMounts(record),
    Config: toConfig(record),
    NetworkSettings: toNetworkSettings(record, live),
  } satisfies ShownRecord<Omit<ContainerInspectInfo, 'GraphDriver' | 'HostConfig'>>;
}

/** A container on another one's network uses that one's files. Undefined before the first start. */
function networkFileDirectory(
  record: ContainerRecord,
  live: LiveFacts,
  containers: ContainerLookup,
): string | undefined {
  if (!record.everStarted) return undefined;
  const seen = new Set<string>();
  let owner = record;
  for (;;) {
    const other = joinedContainer(owner.hostConfig.NetworkMode);
    if (other === undefined || seen.has(other)) return path.join(path.dirname(live.directory), owner.id);
    seen.add(other);
    try {
      owner = containers.get(other);
    } catch {
      return undefined;
    }
  }
}
