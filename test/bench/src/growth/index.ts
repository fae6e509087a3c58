import { events } from './events.js';
import type { Growth } from './growth.js';
import { images } from './images.js';
import { layers } from './layers.js';
import { logMebibytes } from './log-mebibytes.js';
import { networks } from './networks.js';
import { runningContainers } from './running-containers.js';
import { stoppedContainers } from './stopped-containers.js';

/** In the order in which an engine gets all of them: those that run come last. */
export const growths: readonly Growth[] = [
  images,
  layers,
  networks,
  events,
  logMebibytes,
  stoppedContainers,
  runningContainers,
];
