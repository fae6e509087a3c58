import type { Sandbox } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { internal, kindOf, messageOf } from '@gantry/core/errors';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

/** Has the driver put an endpoint into its sandbox. */
@injectable()
export class JoinEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
  ) {}

  /** The caller stores the result. On rejection the endpoint is not in the sandbox; its addresses stay allocated. */
  async join(
    record: EndpointRecord,
    sandbox: Sandbox,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<EndpointRecord> {
    const network = this.store.resolve(record.networkId);
    const joined = await this.driverOf
      .get(network)
      .join({ ...record.request, sandbox }, options)
      .catch((cause: unknown) => {
        // To the driver a taken port is a conflict; to a client that starts a container the start has failed.
        if (kindOf(cause) !== 'conflict') throw cause;
        const where = `${record.containerName} (${record.id})`;
        throw internal(`driver failed programming external connectivity on endpoint ${where}: ${messageOf(cause)}`, {
          cause,
        });
      });
    crashPoint('network.endpoint.joined');
    return { ...record, joined };
  }
}
