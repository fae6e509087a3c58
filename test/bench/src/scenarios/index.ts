import type { Scenario } from '../scenario.js';
import { archives, build, logs } from './data.js';
import { burst, lifecycle } from './lifecycle.js';
import { ociRuntime } from './oci-runtime.js';
import { ping, pingUnderLoad } from './ping.js';
import { list, runningContainers } from './running-containers.js';

export const scenarios: readonly Scenario[] = [
  ping,
  pingUnderLoad,
  lifecycle,
  ociRuntime,
  burst,
  runningContainers,
  list,
  logs,
  archives,
  build,
];
