import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { checkNotNegative, checkOneOf } from './check-numbers.js';
import { isNodeAttribute, parseConstraint } from './parse-constraint.js';
import type { Placement, TaskSpec } from './service-spec.js';

/** All of a task template but its container. @throws EngineError naming the field. */
export function checkTaskSpec(template: TaskSpec): void {
  const { Runtime: runtime = '' } = template;
  if (template.PluginSpec !== undefined)
    throw notImplemented('TaskTemplate.PluginSpec: services of plugins are not supported');
  if (template.NetworkAttachmentSpec !== undefined) {
    throw invalidArgument('TaskTemplate.NetworkAttachmentSpec: not allowed in services');
  }
  if (runtime !== '' && runtime !== 'container')
    throw notImplemented(`TaskTemplate.Runtime: "${runtime}" is not supported`);
  checkResources(template.Resources);
  checkRestartPolicy(template.RestartPolicy);
  checkPlacement(template.Placement);
  checkNotNegative('TaskTemplate.ForceUpdate', template.ForceUpdate);
}

/** The smallest amounts that a container can have. */
const leastCpu = 1_000_000;
const leastMemory = 4 * 2 ** 20;

function checkResources(resources: TaskSpec['Resources'] = {}): void {
  for (const kind of ['Limits', 'Reservations'] as const) {
    const { NanoCPUs: cpus = 0, MemoryBytes: memory = 0 } = resources[kind] ?? {};
    const field = `Resources.${kind}`;
    if (cpus !== 0 && cpus < leastCpu)
      throw invalidArgument(`${field}.NanoCPUs: invalid cpu value ${cpus / 1e9}: Must be at least ${leastCpu / 1e9}`);
    if (memory !== 0 && memory < leastMemory)
      throw invalidArgument(`${field}.MemoryBytes: invalid memory value ${memory}: Must be at least 4MiB`);
  }
  for (const one of resources.Reservations?.GenericResources ?? []) checkGenericResource(one);
  if ((resources.Limits?.GenericResources ?? []).length > 0)
    throw invalidArgument('Resources.Limits.GenericResources: generic resources are reserved, not limited');
  checkNotNegative('Resources.Limits.Pids', resources.Limits?.Pids);
}

type GenericReservation = NonNullable<
  NonNullable<NonNullable<TaskSpec['Resources']>['Reservations']>['GenericResources']
>[number];

/** Tasks reserve so many of a kind; which ones they get, the scheduler decides. */
function checkGenericResource({ DiscreteResourceSpec: count, NamedResourceSpec: named }: GenericReservation): void {
  const field = 'Resources.Reservations.GenericResources';
  if (named !== undefined) throw invalidArgument(`${field}: invalid argument for resource ${named.Kind ?? ''}`);
  if (!count?.Kind) throw invalidArgument(`${field}: DiscreteResourceSpec.Kind must not be empty`);
  checkNotNegative(`${field}: ${count.Kind}`, count.Value);
}

function checkRestartPolicy(policy: TaskSpec['RestartPolicy'] = {}): void {
  checkOneOf('RestartPolicy.Condition', policy.Condition, ['none', 'on-failure', 'any']);
  checkNotNegative('RestartPolicy.Delay', policy.Delay);
  checkNotNegative('RestartPolicy.MaxAttempts', policy.MaxAttempts);
  checkNotNegative('RestartPolicy.Window', policy.Window);
}

function checkPlacement(placement: Placement = {}): void {
  for (const constraint of placement.Constraints ?? []) parseConstraint(constraint);
  for (const { Spread: spread } of placement.Preferences ?? []) {
    const descriptor = spread?.SpreadDescriptor ?? '';
    if (!isNodeAttribute(descriptor)) {
      throw invalidArgument(
        `Placement.Preferences: Spread.SpreadDescriptor: "${descriptor}" is no attribute of nodes such as node.labels.zone`,
      );
    }
  }
  checkNotNegative('Placement.MaxReplicas', placement.MaxReplicas);
}
