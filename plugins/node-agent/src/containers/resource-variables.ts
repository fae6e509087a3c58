import type { AssignedTask } from '@gantry/services/service';

/** The environment variables by which a container finds what its task was given: `DOCKER_RESOURCE_GPU=GPU-1,GPU-2`. */
export function resourceVariables({ genericResources: given }: AssignedTask): readonly string[] {
  const values = new Map<string, string[]>();
  for (const resource of given) {
    const { Kind: kind, Value: value } =
      'NamedResourceSpec' in resource ? resource.NamedResourceSpec : resource.DiscreteResourceSpec;
    const name = `DOCKER_RESOURCE_${kind.toUpperCase()}`;
    values.set(name, [...(values.get(name) ?? []), String(value)]);
  }
  return [...values].map(([name, all]) => `${name}=${all.join(',')}`);
}
