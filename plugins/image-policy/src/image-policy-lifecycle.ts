import { inject, injectable } from '@gantry/core/plugin';
import { GpgSignatures } from './gpg/gpg-signatures.js';
import { needsGpg } from './policy/needs-gpg.js';
import { Policy } from './policy/policy.js';

/** A policy that the host cannot keep must not let images in. */
@injectable()
export class ImagePolicyLifecycle {
  constructor(
    @inject(Policy) private readonly policy: Policy,
    @inject(GpgSignatures) private readonly gpg: GpgSignatures,
  ) {}

  async start(): Promise<void> {
    if (needsGpg(this.policy)) await this.gpg.requireProgram();
  }
}
