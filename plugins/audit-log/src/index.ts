import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { Sockets } from '@gantry/lib-linux/sockets';
import { AuditFile } from './audit-file.js';
import { AuditJournal } from './audit-journal.js';
import { AuditLog } from './audit-log.js';
import { ClientIdentity } from './client-identity.js';
import { configSchema } from './config.js';

export default definePlugin({
  id: 'audit-log',
  requires: [Datagrams, EngineApi, Sockets],
  configSchema,
  setup({ container }) {
    container.register(AuditFile, AuditJournal, ClientIdentity);
    return AuditLog;
  },
});
