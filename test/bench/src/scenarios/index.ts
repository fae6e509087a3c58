import type { Scenario } from '../scenario.js';
import { archives, build, logs, smallFileArchives } from './data.js';
import { burst, lifecycle, removal } from './lifecycle.js';
import { ociRuntime } from './oci-runtime.js';
import { ping, pingUnderLoad } from './ping.js';
import { list, runningContainers } from './running-containers.js';

export const scenarios: readonly Scenario[] = [
  ping,
  pingUnderLoad,
  lifecycle,
  removal,
  ociRuntime,
  burst,
  runningContainers,
  list,
  logs,
  archives,
  smallFileArchives,
  build,
];
