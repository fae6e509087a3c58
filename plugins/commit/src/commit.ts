import type { ContainerService, ContainerSteps } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges, type ImageConfig, type ImageExchange, parseReference } from '@gantry/images/service';
import type { CommitBody } from './commit-body.js';
import { mergeConfig, ownConfig } from './merge-config.js';

export interface CommitRequest {
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

/** Makes images of containers. */
export class Commits {
  constructor(
    private readonly containers: Pick<ContainerService, 'get' | 'publish'>,
    private readonly steps: Pick<ContainerSteps, 'layer' | 'whilePaused'>,
    private readonly images: Pick<ImageExchange, 'create'>,
  ) {}

  /**
   * Spec: POST /commit. Resolves to the image id when it is durable; on rejection nothing is left, and the container
   * runs as before. Rejects `not-found` without the container, `invalid-argument` for a bad name or change.
   */
  async commit(request: CommitRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const record = this.containers.get(request.container);
    if (request.reference !== undefined && parseReference(request.reference).digest !== undefined) {
      throw invalidArgument(`refusing to create a tag with a digest reference: "${request.reference}"`);
    }
    const { config: containerConfig } = record;
    const own = ownConfig(request.config);
    const config =
      own === undefined
        ? applyChanges(containerConfig as ImageConfig, request.changes)
        : mergeConfig(applyChanges(own, request.changes), containerConfig);
    const make = async (): Promise<string> => {
      const layer = await this.steps.layer(record.id, options);
      const id = await this.images.create(
        {
          parent: record.imageId,
          ...(layer !== undefined && { layer }),
          config,
          author: request.author,
          comment: request.comment,
          createdBy: [record.path, ...record.args].join(' '),
          container: record.id,
          containerConfig,
          ...(request.reference !== undefined && { reference: request.reference }),
        },
        options,
      );
      crashPoint('commit.made');
      this.containers.publish(record.id, 'commit', {
        comment: request.comment,
        imageID: id,
        imageRef: request.reference ?? '',
      });
      return id;
    };
    return request.pause ? this.steps.whilePaused(record.id, make) : make();
  }
}
