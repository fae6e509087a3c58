import type { Readable } from 'node:stream';
import { version } from '@gantry/core';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges } from '../configuration/apply-changes.js';
import { hostArchitecture } from '../configuration/host-architecture.js';
import type { ImageConfig } from '../configuration/image-config.js';
import { digestOf, type ImageConfiguration } from '../configuration/image-configuration.js';
import type { Platform } from '../configuration/platform.js';
import { LayerStaging } from '../layers/layer-staging.js';
import { formatReference, parseReference } from '../reference/image-reference.js';
import { ImageEvents } from '../store/image-events.js';
import { ImageStore } from '../store/image-store.js';

/** Validates the request before anything is read. */
function validate({ archive, reference, changes }: ImportRequest): { name: string | undefined; config: ImageConfig } {
  try {
    const parsed = reference === undefined ? undefined : parseReference(reference);
    if (parsed?.digest !== undefined) {
      throw invalidArgument(`cannot import to a reference with a digest: "${reference}"`);
    }
    const name = parsed === undefined ? undefined : formatReference(parsed);
    return { name, config: applyChanges({}, changes) };
  } catch (error) {
    archive.destroy();
    throw error;
  }
}

export interface ImportRequest {
  /** A root file system as a tar, compressed or not. Consumed or destroyed. */
  readonly archive: Readable;
  /** `name` or `name:tag`. */
  readonly reference?: string;
  /** Build-instruction lines. */
  readonly changes: readonly string[];
  readonly comment: string;
  /** Default: this machine's. */
  readonly platform?: Platform;
}

/** Makes an image of one layer from a root file system. Spec: POST /images/create with fromSrc. */
@injectable()
export class ImportImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayerStaging) private readonly layers: LayerStaging,
    @inject(ImageEvents) private readonly events: ImageEvents,
  ) {}

  /** Resolves to the image id. On rejection nothing is left. */
  async import(request: ImportRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { archive: stream } = request;
    const { name, config } = validate(request);
    const staged = await this.layers.stage([{ diffId: undefined, source: () => ({ stream }) }], options);
    try {
      const created = new Date().toISOString();
      const configuration: ImageConfiguration = {
        architecture: request.platform?.architecture ?? hostArchitecture(),
        ...(request.platform?.variant !== undefined && { variant: request.platform.variant }),
        comment: request.comment,
        config,
        created,
        docker_version: version,
        history: [{ created, comment: request.comment }],
        os: request.platform?.os ?? 'linux',
        rootfs: { type: 'layers', diff_ids: staged.layers.map(({ diffId }) => diffId) },
      };
      const configurationJson = JSON.stringify(configuration);
      const id = digestOf(configurationJson);
      crashPoint('image.import.record');
      await this.store.exclusive(() =>
        this.store.add({
          image: { id, configurationJson, addedAt: created },
          layers: staged.fresh,
          references: name === undefined ? {} : { [name]: id },
        }),
      );
      if (name !== undefined) this.events.publish('tag', id, name);
      this.events.publish('import', id, id);
      return id;
    } finally {
      await staged.release();
    }
  }
}
