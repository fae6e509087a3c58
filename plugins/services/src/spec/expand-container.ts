import { expandTemplate } from '../templates/expand-template.js';
import type { TemplateFields } from '../templates/template-value.js';
import type { ContainerSpec, ServiceMount } from './service-spec.js';

/** Fills the templates of a container. @throws EngineError `invalid-argument` naming the field. */
export function expandContainer(container: ContainerSpec, fields: TemplateFields): ContainerSpec {
  const expand = (field: string, text: string): string => expandTemplate(`ContainerSpec.${field}`, text, { fields });
  return {
    ...container,
    ...(container.Hostname !== undefined && { Hostname: expand('Hostname', container.Hostname) }),
    ...(container.Env !== undefined && { Env: container.Env.map((entry) => expandEntry(entry, expand)) }),
    ...(container.Mounts !== undefined && { Mounts: container.Mounts.map((mount) => expandMount(mount, expand)) }),
  };
}

type Expand = (field: string, text: string) => string;

/** Names of variables are no templates. */
function expandEntry(entry: string, expand: Expand): string {
  const at = entry.indexOf('=') + 1;
  return at === 0 ? entry : entry.slice(0, at) + expand('Env', entry.slice(at));
}

function expandMount(mount: ServiceMount, expand: Expand): ServiceMount {
  const { Source: source, Target: target, VolumeOptions: volume } = mount;
  const { DriverConfig: driver, Labels: labels } = volume ?? {};
  return {
    ...mount,
    ...(source !== undefined && { Source: expand('Mounts.Source', source) }),
    ...(target !== undefined && { Target: expand('Mounts.Target', target) }),
    ...(volume !== undefined && {
      VolumeOptions: {
        ...volume,
        ...(labels !== undefined && { Labels: expandMap('Mounts.VolumeOptions.Labels', labels, expand) }),
        ...(driver !== undefined && {
          DriverConfig: {
            ...driver,
            ...(driver.Options !== undefined && {
              Options: expandMap('Mounts.VolumeOptions.DriverConfig.Options', driver.Options, expand),
            }),
          },
        }),
      },
    }),
  };
}

const expandMap = (field: string, map: Readonly<Record<string, string>>, expand: Expand) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, expand(field, value)]));
