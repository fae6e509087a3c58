import { type ContainerRecord, ContainerService, ContainerSteps } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges, type ImageConfig, ImageExchange, parseReference } from '@gantry/images/service';
import type { CommitBody } from './commit-body.js';
import { mergeConfig, ownConfig } from './merge-config.js';

interface CommitRequest {
  readonly container: string;
  /** `name` or `name:tag`. */
  readonly reference?: string;
  readonly comment: string;
  readonly author: string;
  /** Pause a running container while its files are read. */
  readonly pause: boolean;
  /** Build-instruction lines. */
  readonly changes: readonly string[];
  readonly config?: CommitBody;
}

/** Creates images from containers. Spec: POST /commit. */
@injectable()
export class CommitContainer {
  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'get' | 'publish'>,
    @inject(ContainerSteps.token) private readonly steps: Pick<ContainerSteps, 'layer' | 'whilePaused'>,
    @inject(ImageExchange.token) private readonly images: Pick<ImageExchange, 'create'>,
  ) {}

  /**
   * Resolves to the image id when it is durable; on rejection nothing of it remains, and the container runs as before.
   * Rejects `not-found` without the container, `invalid-argument` for a bad name or change.
   */
  async commit(request: CommitRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const record = this.containers.get(request.container);
    if (request.reference !== undefined && parseReference(request.reference).digest !== undefined) {
      throw invalidArgument(`refusing to create a tag with a digest reference: "${request.reference}"`);
    }
    const create = () => this.#create(record, request, options);
    return request.pause ? this.steps.whilePaused(record.id, create) : create();
  }

  async #create(
    record: ContainerRecord,
    { author, changes, comment, config, reference }: CommitRequest,
    options: { readonly signal?: AbortSignal },
  ): Promise<string> {
    const layer = await this.steps.layer(record.id, options);
    const id = await this.images.create(
      {
        parent: record.imageId,
        ...(layer !== undefined && { layer }),
        config: imageConfig(record, changes, config),
        author,
        comment,
        createdBy: [record.path, ...record.args].join(' '),
        container: record.id,
        containerConfig: record.config,
        ...(reference !== undefined && { reference }),
      },
      options,
    );
    crashPoint('commit.made');
    this.containers.publish(record.id, 'commit', { comment, imageID: id, imageRef: reference ?? '' });
    return id;
  }
}

function imageConfig(
  { config }: ContainerRecord,
  changes: readonly string[],
  body: CommitBody | undefined,
): ImageConfig {
  const own = ownConfig(body);
  return own === undefined
    ? applyChanges(config as ImageConfig, changes)
    : mergeConfig(applyChanges(own, changes), config);
}
