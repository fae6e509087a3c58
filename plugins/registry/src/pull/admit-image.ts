import { inject, injectable } from '@gantry/core/plugin';
import type { Access } from '../remote/endpoints.js';
import { ImagePolicy } from '../service.js';
import { readSignatures } from './read-signatures.js';

/** Asks the policy about an image before it is downloaded. */
@injectable()
export class AdmitImage {
  constructor(@inject(ImagePolicy.token) private readonly policy: ImagePolicy) {}

  /** Rejects `forbidden` when the policy does. */
  admit(
    access: Access,
    { digest, tag }: { readonly [K in 'digest' | 'tag']?: string | undefined },
    digests: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return this.policy.check({
      ...access.repository,
      tag: digest === undefined ? (tag ?? 'latest') : undefined,
      digests: [...new Set(digests)],
      signatures: (signed) => readSignatures(access, signed, signal),
    });
  }
}
