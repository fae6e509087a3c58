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
import { HostReader } from './host/host-reader.js';
import { LeakRecord } from './leak-record.js';

export default definePlugin({
  id: 'doctor',
  requires: [Cgroups, Clock, EngineApi, Launcher, Mounts, Nftables, StateDrivers],
  configSchema: Type.Object({}),
  offlineCommands: {
    doctor: (args, { settings, port }) =>
      doctorCommand(args, async () => {
        const [{ readHost }, { examine }] = await Promise.all([import('./host/read-host.js'), import('./examine.js')]);
        const [cgroups, launcher, mounts, nftables] = [port(Cgroups), port(Launcher), port(Mounts), port(Nftables)];
        return examine(await readHost(settings, { cgroups, launcher, mounts, nftables }));
      }),
  },
  setup({ container }) {
    container.register(Doctor, HostReader, LeakRecord);
    return DoctorLifecycle;
  },
});
