import { NetworkDrivers } from '@gantry/core/contracts';
import { createDriver, defineDriver } from '@gantry/core/driver';
import bridge from '@gantry/network-bridge';
import { AuditedNetworks } from './audited-networks.js';

/** Its own bridge driver and table: two drivers that share a table would each remove the other's rules. */
export default defineDriver({
  ...bridge,
  id: 'audited',
  provides: NetworkDrivers,
  async create(context) {
    const { driver, hooks } = await createDriver(bridge, {
      ...context,
      config: { ...context.config, table: `${context.config.table}_audited` },
    });
    return new AuditedNetworks(driver, hooks, (event, facts) => context.log.info({ event, ...facts }, 'audit'));
  },
});
