import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { offerLater } from './offer-later.js';

export default definePlugin({
  id: 'starter-image',
  requires: [ImageService],
  after: [EngineApi],
  configSchema: Type.Object({
    program: Type.String({ default: '/bin/busybox', description: 'the static busybox to make the image from' }),
    reference: Type.String({ default: 'busybox:latest', description: 'the name it gets' }),
  }),
  setup: ({ config, dirs, log, services, optional }) =>
    offerLater({ ...config, directory: dirs.root, images: services.service(ImageService), log }, optional(EngineApi)),
});
