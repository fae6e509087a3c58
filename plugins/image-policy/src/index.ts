import { definePlugin } from '@gantry/core/plugin';
import { ArchivePolicy } from '@gantry/images/service';
import { ImagePolicy } from '@gantry/registry/service';
import { Type } from '@sinclair/typebox';
import { loadPolicy } from './policy/load-policy.js';
import { SignaturePolicy } from './signature-policy.js';

export default definePlugin({
  id: 'image-policy',
  provides: [ImagePolicy, ArchivePolicy],
  configSchema: Type.Object({
    file: Type.String({ default: '/etc/containers/policy.json', pattern: '^/', description: 'the policy' }),
  }),
  async setup({ config, container }) {
    // Read at the start: one that cannot be read must not let images in.
    const policy = await loadPolicy(config.file);
    container.registerFactory(SignaturePolicy, [], () => new SignaturePolicy(policy));
    container.provide(ImagePolicy, SignaturePolicy);
    container.provide(ArchivePolicy, SignaturePolicy);
  },
});
