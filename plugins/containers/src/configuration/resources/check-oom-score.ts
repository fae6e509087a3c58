import { invalidArgument } from '@gantry/core/errors';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** OomScoreAdj. Making a process less likely to be killed is a privilege of its own. */
export const checkOomScore: HostConfigCheck = (wish, { host: { lowestOomScore } }) => {
  const { OomScoreAdj: score = 0 } = wish;
  if (score < -1000 || score > 1000) {
    throw invalidArgument(`Invalid value ${score}, range for oom score adj is [-1000, 1000]`);
  }
  if (score < lowestOomScore) {
    throw invalidArgument(
      `OomScoreAdj: ${score} is below ${lowestOomScore}, which takes CAP_SYS_RESOURCE; the engine does not have it here`,
    );
  }
  return wish;
};
