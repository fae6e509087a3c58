import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Sockets } from '@gantry/lib-linux/sockets';
import { AuditFile } from './audit-file.js';
import { AuditLog } from './audit-log.js';
import { ClientIdentity } from './client-identity.js';
import { configSchema } from './config.js';

export default definePlugin({
  id: 'audit-log',
  requires: [EngineApi, Sockets],
  configSchema,
  setup({ container }) {
    container.register(AuditFile, ClientIdentity);
    return AuditLog;
  },
});
