import type { CreateBody } from '@gantry/containers/service';
import type { AssignedTask } from '@gantry/services/service';

type Endpoints = NonNullable<NonNullable<CreateBody['NetworkingConfig']>['EndpointsConfig']>;

/** The networks of a task. Other tasks find it by the name of its service, and by `tasks.` and that name. */
export function networkingOf(task: AssignedTask): { readonly mode: string; readonly endpoints: Endpoints } {
  const { Networks: networks = [] } = task.spec;
  const [first] = networks;
  if (first === undefined) return { mode: 'default', endpoints: {} };
  if (['host', 'none', 'bridge'].includes(first.Target ?? '')) return { mode: first.Target ?? '', endpoints: {} };
  const endpoints = networks.map(({ Aliases: aliases = [], DriverOpts: options, Target: target = '' }) => [
    target,
    {
      Aliases: [...new Set([task.serviceName, `tasks.${task.serviceName}`, ...aliases])],
      ...(options !== undefined && { DriverOpts: options }),
    },
  ]);
  return { mode: first.Target ?? '', endpoints: Object.fromEntries(endpoints) };
}
