import { SourceDrivers, StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { HostedApi } from '@gantry/hosted-api/service';
import { GitHosting } from '@gantry/lib-git-hosting';
import { ConvertedRepositories } from '@gantry/lib-source';
import { Notifications } from '@gantry/notifications/service';
import { classes } from './classes.js';
import { configSchema } from './config.js';
import { ImportSettings } from './settings/import-settings.js';
import { SourceImportService } from './source-import-service.js';
import { ImportListener } from './store/import-listener.js';
import { ImportEvents } from './webhooks/import-events.js';

export default definePlugin({
  id: 'source-import',
  requires: [HostedApi, StateDrivers, SourceDrivers, ConvertedRepositories, GitHosting],
  after: [Notifications],
  configSchema,
  async setup({ config, container }) {
    container.registerValue(ImportSettings, await ImportSettings.read(config));
    container.registerClass(ImportListener, ImportEvents);
    container.register(...classes);
    return SourceImportService;
  },
});
