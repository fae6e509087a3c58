import { ClusterService } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { findService } from '../commands/find-service.js';
import { toService } from '../wire/to-service.js';
import { withDefaults } from '../wire/with-defaults.js';

/** Spec: GET /services/(id). */
@injectable()
export class InspectService {
  constructor(@inject(ClusterService.token) private readonly cluster: ClusterService) {}

  /** With the values that count where the client gave none, when it asks for them. */
  async inspect(reference: string, options: { readonly withDefaults: boolean }): Promise<object> {
    const { store } = await this.cluster.manager();
    const service = toService(findService(store, reference));
    return options.withDefaults ? { ...service, Spec: withDefaults(service.Spec) } : service;
  }
}
