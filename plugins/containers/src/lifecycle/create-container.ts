import { randomBytes } from 'node:crypto';
import { inject, injectable, StopSignal } from '@gantry/core/driver';
import { invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import { formatPlatform, type Image, ImageService, type Platform } from '@gantry/images/service';
import { CreateConfigurator, type CreateDefaults } from '../configuration/create-configurator.js';
import { checkName } from '../names/check-name.js';
import { generateName } from '../names/generate-name.js';
import { ContainerReview, type Judge } from '../review/container-review.js';
import type { CreateBody } from '../schema.js';
import { ContainerStore } from '../store/container-store.js';
import { ContainerBuilder } from './container-builder.js';
import type { ContainerPlan } from './container-plan.js';

interface CreatedContainer {
  readonly id: string;
  readonly warnings: readonly string[];
}

interface CreateOptions extends CreateDefaults {
  /** Removed by a daemon that starts: the operation that created it did not survive. */
  readonly temporary?: boolean;
  /** Judges the container as it would run. */
  readonly judge?: Judge;
  /** What the image must be for. */
  readonly platform?: Platform | undefined;
}

/** Spec: POST /containers/create. */
@injectable()
export class CreateContainer {
  constructor(
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'get' | 'hold'>,
    @inject(CreateConfigurator) private readonly configurator: CreateConfigurator,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerBuilder) private readonly builder: ContainerBuilder,
    @inject(ContainerReview) private readonly review: ContainerReview,
    @inject(StopSignal) private readonly stopping: AbortSignal,
  ) {}

  /** Durable when it resolves; on rejection nothing of it remains. */
  async create(body: CreateBody, name: string | undefined, options: CreateOptions = {}): Promise<CreatedContainer> {
    if (this.stopping.aborted) throw unavailable('the engine is stopping');
    const wanted = name === undefined || name === '' ? undefined : checkName(name);
    if (!body.Image) throw invalidArgument('no image specified');
    const { judge, platform, temporary, ...defaults } = options;
    const image = this.images.get(body.Image);
    if (platform !== undefined) checkPlatform(body.Image, image, platform);
    const id = randomBytes(32).toString('hex');
    const prepared = this.configurator.prepare(body, image, id, defaults);
    const releaseImage = this.images.hold(image.id);
    try {
      if (judge !== undefined) await this.review.ofPrepared(prepared, body.Image, judge);
      const plan = { id, image, imageName: body.Image, prepared, ...(temporary && { temporary }) };
      await this.#build(plan, wanted);
      return { id, warnings: prepared.warnings };
    } finally {
      releaseImage();
    }
  }

  /** Reserves the name and builds in one step. */
  async #build(plan: Omit<ContainerPlan, 'name'>, wanted: string | undefined): Promise<void> {
    const name = wanted ?? generateName((candidate) => this.store.isNameTaken(candidate));
    const releaseName = this.store.reserveName(name, plan.id);
    try {
      await this.builder.build({ ...plan, name });
    } catch (error) {
      releaseName();
      throw error;
    }
  }
}

/** @throws EngineError `not-found`, on which clients pull the image for the platform. */
function checkPlatform(reference: string, { architecture, os }: Image, wanted: Platform): void {
  if (os === wanted.os && architecture === wanted.architecture) return;
  const platforms = `(${os}/${architecture}) does not match the specified platform (${formatPlatform(wanted)})`;
  throw notFound(`image with reference ${reference} was found but its platform ${platforms}`);
}
