import type { IdMappings, OciSeccomp, OciSpec } from '@gantry/core/contracts';
import { cgroupsPathBelow, maskedPaths, readonlyPaths } from '@gantry/lib-oci';
import type { HostFacts } from '../host/host-facts.js';
import type { ContainerRecord } from '../record.js';
import { containerDevices } from './container-devices.js';
import { hasInit, initDestination, initMount } from './container-init.js';
import { containerMounts, rootPropagation } from './container-mounts.js';
import { containerNamespaces } from './container-namespaces.js';
import { capabilitiesOf, containerProcess } from './container-process.js';
import { resourcesOf } from './container-resources.js';
import { defaultSeccomp, parseSeccompProfile } from './seccomp.js';
import type { SpecRequest } from './spec-request.js';

/** What a spec depends on besides the container. */
interface SpecEnvironment {
  readonly host: Pick<HostFacts, 'capabilities' | 'limits' | 'cgroupVersion'>;
  /** Parent of the containers' control groups; by default the runtime driver's own. */
  readonly cgroupParent?: string;
  /** Init program of this host. */
  readonly initPath: string;
  /** Of user namespaces. */
  readonly idMappings: IdMappings;
}

/** The OCI configuration of a container. Every field of HostConfig that reaches the kernel does so here. */
export async function buildSpec(
  request: SpecRequest,
  { host, cgroupParent: defaultParent, initPath, idMappings }: SpecEnvironment,
): Promise<OciSpec> {
  const { record } = request;
  const { config, hostConfig } = record;
  const privileged = hostConfig.Privileged === true;
  const [process, devices] = await Promise.all([
    containerProcess(request, host.capabilities),
    containerDevices(hostConfig),
  ]);
  const namespaces = containerNamespaces(record, {
    networkNamespace: request.networkNamespace,
    userNamespace: request.userNamespace,
    containers: request.containers,
    cgroupVersion: host.cgroupVersion,
  });
  const seccomp = privileged ? undefined : seccompOf(record, capabilitiesOf(record, host.capabilities));
  const propagation = rootPropagation(record.mounts);
  const ownHostname = namespaces.some(({ type }) => type === 'uts');
  const masked = hostConfig.MaskedPaths ?? (privileged ? [] : maskedPaths);
  const cgroupParent = hostConfig.CgroupParent || defaultParent;
  const readOnly = hostConfig.ReadonlyPaths ?? (privileged ? [] : readonlyPaths);
  return {
    ociVersion: '1.0.2',
    process: hasInit(hostConfig) ? { ...process, args: [initDestination, '--', ...process.args] } : process,
    root: { path: request.rootfs, readonly: hostConfig.ReadonlyRootfs === true },
    ...(ownHostname && { hostname: config.Hostname ?? '' }),
    // A domain name has no place of its own in this version of the specification; it is a kernel parameter.
    mounts: [
      ...containerMounts(record, request.mounts, request.files),
      ...(hasInit(hostConfig) ? [initMount(initPath)] : []),
    ],
    ...(hostConfig.Annotations !== undefined && { annotations: hostConfig.Annotations }),
    linux: {
      namespaces,
      ...(request.userNamespace !== undefined && { uidMappings: idMappings.uids, gidMappings: idMappings.gids }),
      devices: devices.devices,
      ...(cgroupParent && { cgroupsPath: cgroupsPathBelow(cgroupParent, record.id, request.cgroupDriver) }),
      resources: { ...(await resourcesOf(hostConfig, host.limits)), devices: devices.rules },
      ...(propagation !== undefined && { rootfsPropagation: propagation }),
      ...(seccomp !== undefined && { seccomp }),
      sysctl: {
        ...(ownHostname && config.Domainname && { 'kernel.domainname': config.Domainname }),
        ...hostConfig.Sysctls,
      },
      ...(record.labels !== undefined && { mountLabel: record.labels.mount }),
      maskedPaths: masked,
      readonlyPaths: readOnly,
    },
  };
}

/** By SecurityOpt: `seccomp=unconfined`, `seccomp=<profile>`, or the default filter. */
function seccompOf({ hostConfig }: ContainerRecord, capabilities: readonly string[]): OciSeccomp | undefined {
  const wish = (hostConfig.SecurityOpt ?? [])
    .map((option) => /^seccomp[=:](.*)$/s.exec(option)?.[1])
    .find((text) => text !== undefined);
  if (wish === 'unconfined') return undefined;
  return wish === undefined || wish === 'builtin'
    ? defaultSeccomp(capabilities)
    : parseSeccompProfile(wish, capabilities);
}
