import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { AwsLogs } from './aws-logs.js';
import { configSchema } from './config.js';

export default defineDriver({
  id: 'awslogs',
  provides: LogDrivers,
  configSchema,
  create: () => AwsLogs,
});
