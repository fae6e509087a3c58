import { randomBytes } from 'node:crypto';
import { inject, injectable, StopSignal } from '@gantry/core/driver';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { ImageService } from '@gantry/images/service';
import { CreateConfigurator } from '../configuration/create-configurator.js';
import { LogPreparation } from '../logging/log-preparation.js';
import { checkName } from '../names/check-name.js';
import { generateName } from '../names/generate-name.js';
import type { CreateBody } from '../schema.js';
import { ContainerStore } from '../store/container-store.js';
import { ContainerBuilder } from './container-builder.js';

interface CreatedContainer {
  readonly id: string;
  readonly warnings: readonly string[];
}

interface CreateOptions {
  /** Removed by a daemon that starts: the operation that created it did not survive. */
  readonly temporary?: boolean;
}

/** Spec: POST /containers/create. */
@injectable()
export class CreateContainer {
  constructor(
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'get' | 'hold'>,
    @inject(CreateConfigurator) private readonly configurator: CreateConfigurator,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerBuilder) private readonly builder: ContainerBuilder,
    @inject(LogPreparation) private readonly log: LogPreparation,
    @inject(StopSignal) private readonly stopping: AbortSignal,
  ) {}

  /** Durable when it resolves; on rejection nothing of it remains. */
  async create(body: CreateBody, name: string | undefined, options: CreateOptions = {}): Promise<CreatedContainer> {
    if (this.stopping.aborted) throw unavailable('the engine is stopping');
    const wanted = name === undefined || name === '' ? undefined : checkName(name);
    if (!body.Image) throw invalidArgument('no image specified');
    const image = this.images.get(body.Image);
    const id = randomBytes(32).toString('hex');
    const prepared = this.configurator.prepare(body, image, id);
    const finalName = wanted ?? generateName((candidate) => this.store.isNameTaken(candidate));
    const releaseName = this.store.reserveName(finalName, id);
    const releaseImage = this.images.hold(image.id);
    try {
      const plan = { id, name: finalName, image, imageName: body.Image, prepared, ...options };
      this.log.prepare(await this.builder.build(plan));
      return { id, warnings: prepared.warnings };
    } catch (error) {
      releaseName();
      throw error;
    } finally {
      releaseImage();
    }
  }
}
