import { Config, inject, injectable } from '@gantry/core/driver';
import { NameReservation } from '@gantry/lib-network';
import type { BridgeConfig } from './config.js';

/** Keeps a second engine from using the table: the two would replace each other's rules. */
@injectable()
export class TableClaim {
  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'table'>,
    @inject(NameReservation) private readonly names: NameReservation,
  ) {}

  /** Rejects EngineError `conflict` while another engine uses the table. */
  acquire(): Promise<void> {
    return this.names.acquire({ driver: 'network/bridge', key: 'table', value: this.config.table });
  }
}
