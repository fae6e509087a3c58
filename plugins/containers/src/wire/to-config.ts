import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerRecord } from '../record.js';
import type { ShownRecord } from './shown.js';

/** Inspect's Config: the create fields, with `null` where clients expect it for what is not set. */
export function toConfig({ config, imageName }: ContainerRecord) {
  return {
    Hostname: config.Hostname ?? '',
    Domainname: config.Domainname ?? '',
    User: config.User ?? '',
    AttachStdin: config.AttachStdin ?? false,
    AttachStdout: config.AttachStdout ?? false,
    AttachStderr: config.AttachStderr ?? false,
    ExposedPorts: config.ExposedPorts,
    Tty: config.Tty ?? false,
    OpenStdin: config.OpenStdin ?? false,
    StdinOnce: config.StdinOnce ?? false,
    Env: config.Env ?? null,
    Cmd: config.Cmd ?? null,
    Healthcheck: config.Healthcheck,
    ArgsEscaped: config.ArgsEscaped,
    Image: imageName,
    Volumes: config.Volumes ?? null,
    WorkingDir: config.WorkingDir ?? '',
    Entrypoint: config.Entrypoint ?? null,
    NetworkDisabled: config.NetworkDisabled || undefined,
    MacAddress: config.MacAddress || undefined,
    OnBuild: config.OnBuild ?? null,
    Labels: config.Labels ?? {},
    StopSignal: config.StopSignal,
    StopTimeout: config.StopTimeout,
    Shell: config.Shell,
  } satisfies ShownRecord<ContainerInspectInfo['Config']>;
}
