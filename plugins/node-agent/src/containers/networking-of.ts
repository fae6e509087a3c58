import type { CreateBody } from '@gantry/containers/service';
import type { AssignedTask, NetworkAttachment } from '@gantry/services/service';

type Endpoints = NonNullable<NonNullable<CreateBody['NetworkingConfig']>['EndpointsConfig']>;

/** The networks of a task. Names of services are the swarm's: see `SwarmNetworkState.names`. */
export function networkingOf(task: AssignedTask): { readonly mode: string; readonly endpoints: Endpoints } {
  const given = task.spec.Networks ?? [];
  // The ingress network stands in no specification.
  const assigned = task.networks.map(({ network }) => ({ Target: network.id }) as NetworkAttachment);
  const networks = [...given, ...assigned.filter(({ Target: id }) => !given.some(({ Target: other }) => other === id))];
  const [first] = networks;
  if (first === undefined) return { mode: 'default', endpoints: {} };
  if (['host', 'none', 'bridge'].includes(first.Target ?? '') && networks.length === 1) {
    return { mode: first.Target ?? '', endpoints: {} };
  }
  const endpoints = networks.map(({ Aliases: aliases = [], DriverOpts: options, Target: target = '' }) => [
    target,
    {
      Aliases: aliases,
      ...(options !== undefined && { DriverOpts: options }),
    },
  ]);
  return { mode: first.Target ?? '', endpoints: Object.fromEntries(endpoints) };
}
