import { invalidArgument } from '@gantry/core/errors';
import { type HostConfigCheck, without } from '../validation/host-config-check.js';

/** Fields that only mean something to engines on Windows, or to later versions of this API. */
export const checkPlatform: HostConfigCheck = (given, { warn }) => {
  const { Isolation: isolation = '', IOMaximumBandwidth, IOMaximumIOps } = given;
  if (isolation !== '' && isolation.toLowerCase() !== 'default') {
    throw invalidArgument(`Isolation: invalid isolation "${isolation}": linux only supports 'default'`);
  }
  if (IOMaximumBandwidth || IOMaximumIOps) {
    const field = IOMaximumBandwidth ? 'IOMaximumBandwidth' : 'IOMaximumIOps';
    throw invalidArgument(
      `${field}: Invalid QoS settings: linux does not support Maximum IO Bandwidth or Maximum IO IOps`,
    );
  }
  let wish = given;
  for (const field of ['CpuPercent', 'CpuCount'] as const) {
    if (!wish[field]) continue;
    warn(`${field}: only engines on Windows support it. ${field} discarded.`);
    wish = without(wish, field);
  }
  return wish;
};
