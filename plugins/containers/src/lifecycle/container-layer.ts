import { hostRoot, IdMappings, type StorageDriver, StorageDrivers, type WritableRequest } from '@gantry/core/contracts';
import { type DriverSet, diskSemaphore, inject, injectable } from '@gantry/core/driver';
import type { Image } from '@gantry/images/service';
import { parseStorageSize } from '../configuration/parse-storage-size.js';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import { ContainerDirectories } from '../container-directories.js';
import { createRootedDirectory } from '../roots/create-rooted-directory.js';

interface LayerRequest {
  readonly id: string;
  readonly image: Image;
  readonly prepared: PreparedContainer;
}

/** The writable layer and the directory of a new container. */
@injectable()
export class ContainerLayer {
  constructor(
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {}

  /** Id of the storage driver that holds it. */
  get driver(): string {
    return this.storages.defaultId ?? '';
  }

  /** With the working directory, where the image lacks it. On rejection neither step is under way. */
  async create(request: LayerRequest): Promise<void> {
    const { id, prepared } = request;
    const outcomes = await Promise.allSettled([
      this.#createWritable(request, prepared.config.WorkingDir ?? ''),
      diskSemaphore.run(() => this.directories.make(id)),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #createWritable(request: LayerRequest, workingDirectory: string): Promise<void> {
    const storage = this.storages.get();
    await storage.createWritable(writableFor(request));
    if (workingDirectory === '' || workingDirectory === '/') return;
    const root = await storage.mount(request.id);
    try {
      await createRootedDirectory(root, workingDirectory, hostRoot(this.idMappings));
    } finally {
      await storage.unmount(request.id);
    }
  }
}

function writableFor({ id, image, prepared }: LayerRequest): WritableRequest {
  const size = parseStorageSize(prepared.hostConfig.StorageOpt);
  const parent = image.topLayer;
  return { id, ...(parent !== undefined && { parent }), ...(size !== undefined && { size }) };
}
