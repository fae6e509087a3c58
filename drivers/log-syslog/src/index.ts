import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { Type } from '@sinclair/typebox';
import { SyslogLog } from './syslog-log.js';

export default defineDriver({
  id: 'syslog',
  provides: LogDrivers,
  requires: [Datagrams],
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => SyslogLog,
});
