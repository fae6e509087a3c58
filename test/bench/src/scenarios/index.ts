import type { Scenario } from '../scenario.js';
import { bare } from './bare.js';
import { crowd, list } from './crowd.js';
import { archives, build, logs } from './data.js';
import { burst, lifecycle } from './lifecycle.js';
import { ping, pingUnderLoad } from './requests.js';

export const scenarios: readonly Scenario[] = [
  ping,
  pingUnderLoad,
  lifecycle,
  bare,
  burst,
  crowd,
  list,
  logs,
  archives,
  build,
];
