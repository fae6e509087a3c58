import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { translate } from './translate.js';

export default definePlugin({
  id: 'docker-dialect',
  requires: [EngineApi],
  configSchema: Type.Object({
    server: Type.String({
      default: 'Docker/1.12.6-gantry (linux)',
      description: 'the Server header; Docker clients read the operating system from its end',
    }),
  }),
  setup({ config, lifetime, services }) {
    lifetime.add(services.service(EngineApi).use('translate', translate(config.server)));
  },
});
