import type { VersionStep } from './step.js';
import v125 from './versions/v1-25.js';
import v128 from './versions/v1-28.js';
import v130 from './versions/v1-30.js';
import v132 from './versions/v1-32.js';
import v135 from './versions/v1-35.js';
import v140 from './versions/v1-40.js';
import v141 from './versions/v1-41.js';
import v142 from './versions/v1-42.js';
import v143 from './versions/v1-43.js';
import v144 from './versions/v1-44.js';
import v145 from './versions/v1-45.js';
import v146 from './versions/v1-46.js';
import v148 from './versions/v1-48.js';
import v149 from './versions/v1-49.js';
import v150 from './versions/v1-50.js';
import v151 from './versions/v1-51.js';

/** All steps, oldest first. */
export const versionSteps: readonly VersionStep[] = [
  v125,
  v128,
  v130,
  v132,
  v135,
  v140,
  v141,
  v142,
  v143,
  v144,
  v145,
  v146,
  v148,
  v149,
  v150,
  v151,
];
