import type { CreateBody } from '@gantry/containers/service';
import {
  type AssignedTask,
  expandContainer,
  modeOfPort,
  protocolOf,
  type TemplateNode,
  taskFields,
} from '@gantry/services/service';
import { networkingOf } from './networking-of.js';
import { resourceVariables } from './resource-variables.js';
import { securityOptionsOf } from './security-options-of.js';
import { labelsOf } from './task-labels.js';

type HostConfig = NonNullable<CreateBody['HostConfig']>;

/** The container of a task, but for its secrets and configs. */
export function toCreateBody(task: AssignedTask, node: TemplateNode): CreateBody {
  const { spec } = task;
  const container = expandContainer(spec.ContainerSpec ?? {}, taskFields(task, node));
  const { endpoints, mode } = networkingOf(task);
  return {
    Image: container.Image ?? '',
    Labels: labelsOf(task, node.id),
    ...(container.Command !== undefined && { Entrypoint: container.Command }),
    ...(container.Args !== undefined && { Cmd: container.Args }),
    ...(container.Hostname && { Hostname: container.Hostname }),
    Env: [...(container.Env ?? []), ...resourceVariables(task)],
    ...(container.Dir !== undefined && { WorkingDir: container.Dir }),
    ...(container.User !== undefined && { User: container.User }),
    ...(container.StopSignal && { StopSignal: container.StopSignal }),
    ...(container.Healthcheck !== undefined && { Healthcheck: container.Healthcheck }),
    Tty: container.TTY ?? false,
    OpenStdin: container.OpenStdin ?? false,
    ...(hostPorts(task).length > 0 && {
      ExposedPorts: Object.fromEntries(hostPorts(task).map((port) => [`${port.TargetPort}/${protocolOf(port)}`, {}])),
    }),
    HostConfig: {
      ...limitsOf(task),
      ...settingsOf(task),
      NetworkMode: mode,
      PortBindings: portBindings(task),
      Mounts: container.Mounts ?? [],
      ...(spec.LogDriver !== undefined && {
        LogConfig: { Type: spec.LogDriver.Name ?? '', Config: spec.LogDriver.Options ?? {} },
      }),
    },
    NetworkingConfig: { EndpointsConfig: endpoints },
  };
}

function limitsOf({ spec }: AssignedTask): HostConfig {
  const { Limits: limits = {}, Reservations: reservations = {} } = spec.Resources ?? {};
  return {
    ...(limits.MemoryBytes && { Memory: limits.MemoryBytes }),
    ...(limits.NanoCPUs && { NanoCpus: limits.NanoCPUs }),
    ...(limits.Pids && { PidsLimit: limits.Pids }),
    ...(reservations.MemoryBytes && { MemoryReservation: reservations.MemoryBytes }),
  };
}

function settingsOf({ spec }: AssignedTask): HostConfig {
  const { ContainerSpec: container = {} } = spec;
  const { Nameservers: dns, Options: dnsOptions, Search: dnsSearch } = container.DNSConfig ?? {};
  return {
    ...(container.ReadOnly !== undefined && { ReadonlyRootfs: container.ReadOnly }),
    ...(container.Init !== undefined && { Init: container.Init }),
    ...(container.Groups !== undefined && { GroupAdd: container.Groups }),
    ...(container.Sysctls !== undefined && { Sysctls: container.Sysctls }),
    ...(container.CapabilityAdd !== undefined && { CapAdd: container.CapabilityAdd }),
    ...(container.CapabilityDrop !== undefined && { CapDrop: container.CapabilityDrop }),
    ...(container.Ulimits !== undefined && { Ulimits: container.Ulimits }),
    ...(container.OomScoreAdj !== undefined && { OomScoreAdj: container.OomScoreAdj }),
    ...(dns !== undefined && { Dns: dns }),
    ...(dnsOptions !== undefined && { DnsOptions: dnsOptions }),
    ...(dnsSearch !== undefined && { DnsSearch: dnsSearch }),
    ExtraHosts: (container.Hosts ?? []).flatMap(toExtraHosts),
    SecurityOpt: securityOptionsOf(container.Privileges),
  };
}

/** `address name...` as in /etc/hosts becomes `name:address`. */
function toExtraHosts(line: string): readonly string[] {
  const [address = '', ...names] = line.trim().split(/\s+/);
  return names.map((name) => `${name}:${address}`);
}

const hostPorts = (task: AssignedTask) => task.ports.filter((port) => modeOfPort(port) === 'host');

const portBindings = (task: AssignedTask): NonNullable<HostConfig['PortBindings']> =>
  Object.fromEntries(
    hostPorts(task).map((port) => [
      `${port.TargetPort}/${protocolOf(port)}`,
      [{ HostPort: port.PublishedPort === undefined ? '' : String(port.PublishedPort) }],
    ]),
  );
