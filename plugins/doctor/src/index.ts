import { StateDrivers } from '@gantry/core/contracts';
import { Clock } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Nftables } from '@gantry/lib-linux/nftables';
import { Type } from '@sinclair/typebox';
import { Doctor } from './doctor.js';
import { doctorCommand } from './doctor-command.js';
import { DoctorLifecycle } from './doctor-lifecycle.js';
import { examineHost } from './examine-host.js';
import { HostReader } from './host/host-reader.js';
import { LeakRecord } from './leak-record.js';
import { supportCommand } from './support/support-command.js';
import { SupportFacts } from './support/support-facts.js';

export default definePlugin({
  id: 'doctor',
  requires: [Cgroups, Clock, EngineApi, Launcher, Mounts, Nftables, StateDrivers],
  configSchema: Type.Object({}),
  offlineCommands: {
    doctor: (args, context) => doctorCommand(args, () => examineHost(context)),
    support: (args, context) => supportCommand(args, context, () => examineHost(context)),
  },
  setup({ container }) {
    container.register(Doctor, HostReader, LeakRecord);
    container.registerHooks(SupportFacts);
    return DoctorLifecycle;
  },
});
