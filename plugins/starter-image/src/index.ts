import { definePlugin } from '@gantry/core/plugin';
import { ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { offerImage } from './offer-image.js';

export default definePlugin({
  id: 'starter-image',
  requires: [ImageService],
  configSchema: Type.Object({
    program: Type.String({ default: '/bin/busybox', description: 'the static busybox to make the image from' }),
    reference: Type.String({ default: 'busybox:latest', description: 'the name it gets' }),
  }),
  setup: ({ config, dirs, log, services }) => ({
    start: (signal) =>
      offerImage({ ...config, directory: dirs.root, images: services.service(ImageService), log }, signal),
  }),
});
