import { invalidArgument } from '@gantry/core/errors';
import { type Static, Type } from '@sinclair/typebox';
import type { VolumeInspectInfo } from 'dockerode';
import type { Volume, VolumeRequest } from './service.js';

const map = Type.Optional(Type.Record(Type.String(), Type.String()));

/** Keys of filters. */
export const listFilters = ['name', 'dangling', 'driver', 'label'] as const;

/** Spec: POST /volumes/create. */
export const CreateBody = Type.Object({
  Name: Type.Optional(Type.String()),
  Driver: Type.Optional(Type.String()),
  DriverOpts: map,
  Labels: map,
  ClusterVolumeSpec: Type.Optional(Type.Unknown()),
});

/** @throws EngineError `invalid-argument` for a volume of a cluster. */
export function toVolumeRequest(body: Static<typeof CreateBody>): VolumeRequest {
  const { Name, Driver, DriverOpts, Labels, ClusterVolumeSpec } = body;
  if (ClusterVolumeSpec !== undefined && ClusterVolumeSpec !== null) {
    throw invalidArgument(
      `ClusterVolumeSpec: this engine has no cluster volumes: ${JSON.stringify(ClusterVolumeSpec)}`,
    );
  }
  return {
    ...(Name !== undefined && Name !== '' && { name: Name }),
    ...(Driver !== undefined && Driver !== '' && { driver: Driver }),
    ...(DriverOpts !== undefined && { options: DriverOpts }),
    ...(Labels !== undefined && { labels: Labels }),
  };
}

type Inspect = Omit<VolumeInspectInfo, 'Status'> & { readonly CreatedAt?: string; readonly Status?: unknown };

/** Spec: volume record. */
export function toVolume(volume: Volume) {
  const hasOptions = Object.keys(volume.options).length > 0;
  return {
    Name: volume.name,
    Driver: volume.driver,
    Mountpoint: volume.mountpoint,
    Labels: volume.labels,
    Options: hasOptions ? volume.options : null,
    Scope: volume.scope,
    ...(volume.createdAt !== '' && { CreatedAt: volume.createdAt }),
    ...(volume.status !== undefined && { Status: volume.status }),
  } satisfies Inspect;
}
