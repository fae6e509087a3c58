import { definePlugin } from '@gantry/core/plugin';
import { ArchivePolicy } from '@gantry/images/service';
import { Launcher } from '@gantry/lib-linux/launcher';
import { ImagePolicy } from '@gantry/registry/service';
import { Type } from '@sinclair/typebox';
import { GpgSignatures } from './gpg/gpg-signatures.js';
import { Lookaside } from './gpg/lookaside.js';
import { ImagePolicyLifecycle } from './image-policy-lifecycle.js';
import { loadPolicy } from './policy/load-policy.js';
import { needsGpg } from './policy/needs-gpg.js';
import { Policy } from './policy/policy.js';
import { SignaturePolicy } from './signature-policy.js';

export default definePlugin({
  id: 'image-policy',
  provides: [ImagePolicy, ArchivePolicy],
  requires: [Launcher],
  configSchema: Type.Object({
    file: Type.String({ default: '/etc/containers/policy.json', pattern: '^/', description: 'the policy' }),
    registriesDirectory: Type.String({
      default: '/etc/containers/registries.d',
      pattern: '^/',
      description: 'says where signatures by GPG keys are kept',
    }),
  }),
  async setup({ config, container }) {
    // Read at the start: one that cannot be read must not let images in.
    const policy = await loadPolicy(config.file);
    container.registerValue(Policy, policy);
    container.registerValue(Lookaside, await Lookaside.read(needsGpg(policy) ? config.registriesDirectory : ''));
    container.register(GpgSignatures, SignaturePolicy);
    container.provide(ImagePolicy, SignaturePolicy);
    container.provide(ArchivePolicy, SignaturePolicy);
    return ImagePolicyLifecycle;
  },
});
