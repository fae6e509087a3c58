import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { parseReference } from '@gantry/images/service';
import { checkFileReferences } from './check-file-references.js';
import { checkNotNegative, checkOneOf } from './check-numbers.js';
import { checkTemplates } from './check-templates.js';
import type { ContainerSpec, ServiceMount } from './service-spec.js';

type Seccomp = NonNullable<NonNullable<ContainerSpec['Privileges']>['Seccomp']>;

/** @throws EngineError naming the field. */
export function checkContainerSpec(container: ContainerSpec | undefined): void {
  if (container === undefined) throw invalidArgument('TaskTemplate.ContainerSpec: missing');
  checkImage(container.Image ?? '');
  checkMounts(checkTemplates(container).Mounts ?? []);
  checkPrivileges(container.Privileges);
  checkNotNegative('ContainerSpec.StopGracePeriod', container.StopGracePeriod);
  checkHealthcheck(container.Healthcheck);
  const { Isolation: isolation = '' } = container;
  if (isolation !== '' && isolation !== 'default')
    throw invalidArgument(`ContainerSpec.Isolation: "${isolation}" is not supported on Linux`);
  checkFileReferences('Secrets', container.Secrets ?? []);
  checkFileReferences('Configs', container.Configs ?? []);
  for (const config of container.Configs ?? []) {
    if (config.Runtime !== undefined) throw notImplemented('ContainerSpec.Configs.Runtime: not supported on Linux');
  }
}

function checkImage(image: string): void {
  if (image === '') throw invalidArgument('ContainerSpec.Image: ContainerSpec: image reference must be provided');
  try {
    parseReference(image);
  } catch (cause) {
    throw invalidArgument(`ContainerSpec.Image: "${image}": ContainerSpec: "${image}" is not a valid repository/tag`, {
      cause,
    });
  }
}

const propagations = ['private', 'rprivate', 'shared', 'rshared', 'slave', 'rslave'];
const consistencies = ['default', 'consistent', 'cached', 'delegated'];

/** The containers area checks the options of each mount when it creates the container. */
function checkMounts(mounts: readonly ServiceMount[]): void {
  const seen = new Set<string>();
  for (const mount of mounts) {
    const { Target: target = '', Type: type, Source: source = '' } = mount;
    checkOneOf('ContainerSpec.Mounts.Type', type, ['bind', 'volume', 'tmpfs']);
    checkOneOf('ContainerSpec.Mounts.BindOptions.Propagation', mount.BindOptions?.Propagation, propagations);
    checkOneOf('ContainerSpec.Mounts.Consistency', mount.Consistency, consistencies);
    for (const field of ['ClusterOptions', 'ImageOptions'] as const) {
      if (mount[field] === undefined) continue;
      throw invalidArgument(
        `ContainerSpec.Mounts.${field}: ${JSON.stringify(mount[field])} does not apply to mounts of the type ${type ?? 'bind'}`,
      );
    }
    if (target === '')
      throw invalidArgument('ContainerSpec.Mounts.Target: ContainerSpec: Mount missing required field Target');
    if (seen.has(target))
      throw invalidArgument(`ContainerSpec.Mounts: ContainerSpec: duplicate mount point: ${target}`);
    if (type === 'bind' && !source.startsWith('/')) {
      throw invalidArgument(
        `ContainerSpec.Mounts.Source: invalid bind mount source, must be an absolute path: ${source}`,
      );
    }
    if (type === 'tmpfs' && source !== '')
      throw invalidArgument(`ContainerSpec.Mounts.Source: "${source}" must be empty for type tmpfs`);
    seen.add(target);
  }
}

function checkPrivileges(privileges: ContainerSpec['Privileges']): void {
  if (privileges?.CredentialSpec !== undefined) {
    throw notImplemented('ContainerSpec.Privileges.CredentialSpec: not supported on Linux');
  }
  checkSeccomp(privileges?.Seccomp);
  checkOneOf('ContainerSpec.Privileges.AppArmor.Mode', privileges?.AppArmor?.Mode, ['default', 'disabled']);
}

function checkSeccomp({ Mode: mode, Profile: profile = '' }: Seccomp = {}): void {
  const field = 'ContainerSpec.Privileges.Seccomp';
  checkOneOf(`${field}.Mode`, mode, ['default', 'unconfined', 'custom']);
  if (mode !== 'custom') {
    if (profile !== '') throw invalidArgument(`${field}.Profile: only applies to the mode custom, not "${mode ?? ''}"`);
    return;
  }
  try {
    JSON.parse(Buffer.from(profile, 'base64').toString());
  } catch (cause) {
    throw invalidArgument(`${field}.Profile: "${profile.slice(0, 32)}" is not JSON in base64`, { cause });
  }
}

function checkHealthcheck(check: ContainerSpec['Healthcheck'] = {}): void {
  for (const field of ['Interval', 'Timeout', 'StartPeriod', 'StartInterval'] as const) {
    const value = check[field] ?? 0;
    if (value !== 0 && value < 1_000_000)
      throw invalidArgument(
        `ContainerSpec.Healthcheck.${field}: ContainerSpec: ${field} in HealthConfig cannot be less than 1ms`,
      );
  }
  checkNotNegative('ContainerSpec.Healthcheck.Retries', check.Retries);
}
