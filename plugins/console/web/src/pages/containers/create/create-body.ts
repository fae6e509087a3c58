import { parseCommand, parseLines, parsePairs } from '../../../format/parse-lines';
import { parseSize } from '../../../format/parse-size';
import type { CreateValues } from './create-values';

const orNothing = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);
const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

function numberOf(label: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error(`${label}: "${text}" is not a number`);
  return value;
}

function nanoseconds(label: string, text: string): number | undefined {
  const seconds = numberOf(label, text);
  return seconds === undefined ? undefined : Math.round(seconds * 1e9);
}

/** The request that creates a container; throws for what was typed wrongly. JSON leaves out what is undefined. */
export function createBody(values: CreateValues): unknown {
  const exposed = values.ports.map(({ port, protocol }) => {
    if (!/^\d+(-\d+)?$/.test(port)) throw new Error(`ports: "${port}" is not a port of the container`);
    return `${port}/${protocol}`;
  });
  return {
    Image: values.image,
    Cmd: orNothing(parseCommand(values.command)),
    Entrypoint: orNothing(parseCommand(values.entrypoint)),
    WorkingDir: values.workingDirectory || undefined,
    User: values.user || undefined,
    Hostname: values.hostname || undefined,
    Env: orNothing(parseLines(values.environment)),
    Labels: parsePairs(values.labels),
    ExposedPorts: Object.fromEntries(exposed.map((port) => [port, {}])),
    Tty: values.tty,
    OpenStdin: values.openStdin,
    StopSignal: values.stopSignal || undefined,
    StopTimeout: numberOf('stop timeout', values.stopTimeout),
    Healthcheck: healthCheck(values),
    HostConfig: hostConfig(values),
    NetworkingConfig: { EndpointsConfig: endpoints(values) },
  };
}

function hostConfig(values: CreateValues): unknown {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { hostIp, hostPort, port, protocol } of values.ports) {
    bindings[`${port}/${protocol}`] = [
      ...(bindings[`${port}/${protocol}`] ?? []),
      { HostIp: hostIp, HostPort: hostPort },
    ];
  }
  const cpus = numberOf('CPUs', values.cpus);
  return {
    NetworkMode: values.networkMode || values.networks[0]?.network || undefined,
    PortBindings: bindings,
    PublishAllPorts: values.publishAll,
    Mounts: orNothing(values.mounts.map(mount)),
    Dns: orNothing(words(values.dns)),
    ExtraHosts: orNothing(parseLines(values.extraHosts)),
    RestartPolicy: { Name: values.restart, MaximumRetryCount: numberOf('retries', values.retries) ?? 0 },
    AutoRemove: values.autoRemove,
    Memory: parseSize('memory', values.memory),
    NanoCpus: cpus === undefined ? undefined : Math.round(cpus * 1e9),
    PidsLimit: numberOf('processes', values.pids),
    Devices: orNothing(values.devices.map(device)),
    Ulimits: orNothing(values.ulimits.map(ulimit)),
    Sysctls: parsePairs(values.sysctls),
    Privileged: values.privileged,
    ReadonlyRootfs: values.readOnly,
    Init: values.init || undefined,
    CapAdd: orNothing(words(values.capAdd)),
    CapDrop: orNothing(words(values.capDrop)),
    LogConfig: logConfig(values),
  };
}

function logConfig({ logDriver, logOptions }: CreateValues): unknown {
  if (logDriver === '' && logOptions.trim() === '') return undefined;
  if (logDriver === '') throw new Error('log options: name the log driver they are for');
  return { Type: logDriver, Config: parsePairs(logOptions) };
}

function mount({ type, source, target, access }: CreateValues['mounts'][number]): unknown {
  if (!target.startsWith('/')) throw new Error(`mounts: the target "${target}" is not an absolute path`);
  const common = { Type: type, Target: target, ReadOnly: access === 'read-only' };
  if (type !== 'tmpfs') return { ...common, Source: source };
  return { ...common, TmpfsOptions: { SizeBytes: parseSize(`size of the tmpfs at ${target}`, source) } };
}

function device({ host, container, rights }: CreateValues['devices'][number]): unknown {
  if (!host.startsWith('/')) throw new Error(`devices: "${host}" is not an absolute path of the host`);
  return { PathOnHost: host, PathInContainer: container || host, CgroupPermissions: rights };
}

function ulimit({ name, soft, hard }: CreateValues['ulimits'][number]): unknown {
  const Soft = numberOf(`soft limit of ${name}`, soft);
  if (name === '' || Soft === undefined) throw new Error('ulimits: a row lacks its name or its soft limit');
  return { Name: name, Soft, Hard: numberOf(`hard limit of ${name}`, hard) ?? Soft };
}

function endpoints({ networks }: CreateValues): unknown {
  return Object.fromEntries(
    networks.map(({ network, aliases, address }) => {
      if (network === '') throw new Error('networks: a row names no network');
      const family = address.includes(':') ? { IPv6Address: address } : { IPv4Address: address };
      return [network, { Aliases: orNothing(words(aliases)), IPAMConfig: address === '' ? undefined : family }];
    }),
  );
}

function healthCheck(values: CreateValues): unknown {
  const set = [values.healthInterval, values.healthTimeout, values.healthRetries, values.healthStart].some(
    (text) => text !== '',
  );
  if (values.healthCommand === '' && !set) return undefined;
  return {
    Test:
      values.healthCommand === ''
        ? undefined
        : values.healthCommand === 'none'
          ? ['NONE']
          : ['CMD-SHELL', values.healthCommand],
    Interval: nanoseconds('health interval', values.healthInterval),
    Timeout: nanoseconds('health timeout', values.healthTimeout),
    Retries: numberOf('health retries', values.healthRetries),
    StartPeriod: nanoseconds('health start period', values.healthStart),
  };
}
