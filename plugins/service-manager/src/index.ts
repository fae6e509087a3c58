import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { Type } from '@sinclair/typebox';
import { installCommand, uninstallCommand } from './install/install-command.js';
import { ownInstallation } from './install/own-installation.js';
import { ServiceNotifier } from './service-notifier.js';
import { readSettings, ServiceSettings } from './service-settings.js';

export default definePlugin({
  id: 'service-manager',
  // Ready once the listeners are.
  requires: [EngineApi, Datagrams],
  configSchema: Type.Object({}, { additionalProperties: false }),
  offlineCommands: {
    install: (args, context) => installCommand(args, ownInstallation(context.port), context),
    uninstall: (args, context) => uninstallCommand(args, ownInstallation(context.port), context),
  },
  setup({ container }) {
    const settings = readSettings(process.env, process.pid);
    if (settings === undefined) return undefined;
    container.registerValue(ServiceSettings, settings);
    return ServiceNotifier;
  },
});
