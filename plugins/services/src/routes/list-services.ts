import { ClusterService } from '@gantry/cluster/service';
import type { ClusterRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { Filters } from '@gantry/core/http';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { modeOf } from '../spec/service-mode.js';
import { serviceStatus } from '../wire/service-status.js';
import { toService } from '../wire/to-service.js';

export const serviceFilters = ['id', 'label', 'mode', 'name', 'runtime'] as const;

/** Spec: GET /services. */
@injectable()
export class ListServices {
  constructor(@inject(ClusterService.token) private readonly cluster: ClusterService) {}

  /** @param withStatus count the tasks of each. */
  async list(filters: Filters, withStatus: boolean): Promise<readonly object[]> {
    const { store } = await this.cluster.manager();
    const modes = filters.oneOf('mode', ['replicated', 'global', 'replicated-job', 'global-job']);
    filters.oneOf('runtime', ['container', 'plugin']);
    const matches = ({ id, value: { Spec: spec } }: ClusterRecord<ServiceRecord>): boolean =>
      filters.matchesId(id) &&
      filters.some('name', (prefix) => (spec.Name ?? '').startsWith(prefix)) &&
      filters.matchesLabels(spec.Labels) &&
      filters.some('runtime', (runtime) => runtime === 'container') &&
      (modes.length === 0 || modes.includes(modeOf(spec)));
    return store
      .list(serviceKind)
      .filter(matches)
      .map((record) => {
        const tasks = withStatus ? store.select(taskKind, 'service', record.id).map(({ value }) => value) : [];
        return toService(record, withStatus ? serviceStatus(record.value, tasks) : undefined);
      });
  }
}
