import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageService } from '@gantry/images/service';
import { configSchema } from './config.js';
import { StarterImage } from './starter-image.js';
import { StarterImageLifecycle } from './starter-image-lifecycle.js';

export default definePlugin({
  id: 'starter-image',
  requires: [EngineApi, ImageService],
  configSchema,
  setup({ container }) {
    container.register(StarterImage);
    return StarterImageLifecycle;
  },
});
