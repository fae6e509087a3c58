import { call, post, remove } from '../../../api/request';
import { confirm } from '../../../components/confirm';
import { runOnAll } from '../../../components/run-on-all';
import type { BulkAction } from '../../../components/table/table-types';
import { plural } from '../../../format/plural';
import type { Service, ServiceSpec } from '../swarm-types';

export const serviceName = ({ Spec }: Service): string => Spec.Name;

export const readService = (id: string, signal?: AbortSignal) =>
  call<Service>(`/services/${encodeURIComponent(id)}`, { signal });

/** Stores what `change` makes of the specification, unless the service has changed meanwhile. */
export const updateService = ({ ID, Version, Spec }: Service, change: (spec: ServiceSpec) => ServiceSpec) =>
  post(`/services/${ID}/update`, { version: Version.Index }, change(Spec));

export const rollBackService = ({ ID, Version, Spec }: Service) =>
  post(`/services/${ID}/update`, { version: Version.Index, rollback: 'previous' }, Spec);

export const removeService = (id: string) => remove(`/services/${id}`);

export const serviceBulkActions: readonly BulkAction<Service>[] = [
  {
    name: 'Remove…',
    danger: true,
    run: async (rows) => {
      const body = <p>Their tasks end, and their containers are removed.</p>;
      const title = `Remove ${plural(rows.length, 'service')}?`;
      if ((await confirm({ title, body, action: 'Remove' })) === undefined) return;
      await runOnAll('Remove', 'service', rows, serviceName, ({ ID }) => removeService(ID));
    },
  },
];
