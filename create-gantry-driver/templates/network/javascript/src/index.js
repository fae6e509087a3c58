import { NetworkDrivers } from '@gantry/core/contracts';
import { createDriver, defineDriver } from '@gantry/core/driver';
import bridge from '@gantry/network-bridge';
import { __Name__Networks } from './networks.js';

/** Bridges of its own: with the table of the engine's bridge driver each would remove the other's rules. */
export default defineDriver({
  ...bridge,
  id: '__id__',
  provides: NetworkDrivers,
  async create(context) {
    const config = { ...context.config, table: `${context.config.table}___table__` };
    const { driver, hooks } = await createDriver(bridge, { ...context, config });
    return new __Name__Networks(driver, hooks, context.log);
  },
});
