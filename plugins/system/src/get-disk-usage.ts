import { ContainerService, type ContainerUsage } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageService, type ImageUsage } from '@gantry/images/service';
import { VolumeService, type VolumeUsage } from '@gantry/volumes/service';

const types = ['container', 'image', 'volume', 'build-cache'] as const;
type UsageType = (typeof types)[number];

/** What was not asked for is null. */
interface DiskUsage {
  readonly LayersSize: number;
  readonly Images: readonly ImageUsage[] | null;
  readonly Containers: readonly ContainerUsage[] | null;
  readonly Volumes: readonly VolumeUsage[] | null;
  /** Empty: the builder's cache consists of images. */
  readonly BuildCache: readonly never[] | null;
}

/** Spec: GET /system/df. */
@injectable()
export class GetDiskUsage {
  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'diskUsage'>,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'diskUsage'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'diskUsage'>,
  ) {}

  /** @param requested the types to measure; all when there is none. @throws EngineError `invalid-argument`. */
  async get(requested: readonly string[]): Promise<DiskUsage> {
    const wanted = new Set(requested.length === 0 ? types : requested.map(parseType));
    const [containers, volumes] = await Promise.all([
      wanted.has('container') ? this.containers.diskUsage() : undefined,
      wanted.has('volume') ? this.volumes.diskUsage() : undefined,
    ]);
    const usage = wanted.has('image') ? this.images.diskUsage() : undefined;
    return {
      LayersSize: usage?.layersSize ?? 0,
      Images: usage?.images ?? null,
      Containers: containers ?? null,
      Volumes: volumes ?? null,
      BuildCache: wanted.has('build-cache') ? [] : null,
    };
  }
}

function parseType(text: string): UsageType {
  const type = types.find((candidate) => candidate === text);
  if (type === undefined) throw invalidArgument(`type: "${text}" is not ${types.join(', ')}`);
  return type;
}
