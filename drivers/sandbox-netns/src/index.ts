import { SandboxDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { NetnsSandboxes } from './netns-sandboxes.js';

export default defineDriver({
  id: 'netns',
  provides: SandboxDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: ({ dirs }) => new NetnsSandboxes(dirs.state),
});
