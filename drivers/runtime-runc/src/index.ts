import { RuntimeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Host } from '@gantry/lib-linux/host';
import { KernelLog } from '@gantry/lib-linux/kernel-log';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Processes } from '@gantry/lib-linux/processes';
import { SELinux } from '@gantry/lib-linux/selinux';
import { Seqpacket } from '@gantry/lib-linux/seqpacket';
import { Watcher } from '@gantry/lib-linux/watch';
import { configSchema } from './config.js';
import { createRuntime } from './create-runtime.js';

export default defineDriver({
  id: 'runc',
  provides: RuntimeDrivers,
  requires: [Cgroups, Host, KernelLog, Launcher, Mounts, Namespaces, Processes, Seqpacket, SELinux, Watcher],
  configSchema,
  create: createRuntime,
});
