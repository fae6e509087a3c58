import { inject, injectable, Logger } from '@gantry/core/driver';
import { decodeRegistryAuth } from '@gantry/engine-api/service';
import { type ImageReference, parseReference } from '@gantry/images/service';
import { RegistryClient } from '@gantry/registry/service';
import type { ServiceSpec } from '../spec/service-spec.js';

interface PinnedSpec {
  readonly spec: ServiceSpec;
  /** For the client. */
  readonly warnings: readonly string[];
}

/** A registry that does not answer must not keep a service from being made. */
const timeoutMilliseconds = 10_000;

/** Resolves tags for clients before API v1.30: later ones send digests themselves. */
@injectable()
export class PinImage {
  constructor(
    @inject(RegistryClient.token) private readonly registry: Pick<RegistryClient, 'resolve'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * The specification with the digest of its image, so that all nodes run the same. Unchanged, with a warning, when the
   * registry does not have it.
   * @param registryAuth the header with which the image is pulled.
   */
  async pin(spec: ServiceSpec, registryAuth: string | undefined): Promise<PinnedSpec> {
    const { ContainerSpec: container } = spec.TaskTemplate ?? {};
    const image = container?.Image ?? '';
    if (image === '' || parseReference(image).digest !== undefined) return { spec, warnings: [] };
    try {
      const pinned = await this.#withDigest(parseReference(image), registryAuth);
      const template = { ...spec.TaskTemplate, ContainerSpec: { ...container, Image: pinned } };
      return { spec: { ...spec, TaskTemplate: template }, warnings: [] };
    } catch (error) {
      this.log.warn(
        { event: 'service.image-not-pinned', image, err: error },
        'failed to resolve the digest of an image',
      );
      return { spec, warnings: [notPinned(image)] };
    }
  }

  async #withDigest({ repository, tag = 'latest' }: ImageReference, registryAuth: string | undefined): Promise<string> {
    const reference = `${repository}:${tag}`;
    const credentials = decodeRegistryAuth(registryAuth);
    const request = { reference, ...(credentials !== undefined && { credentials }) };
    const { digest } = await this.registry.resolve(request, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    return `${reference}@${digest}`;
  }
}

/** In the words that clients know. */
const notPinned = (image: string): string =>
  `image ${image} could not be accessed on a registry to record\nits digest. Each node will access ${image} independently,\n` +
  'possibly leading to different nodes running different\nversions of the image.\n';
