import type { LogContainer } from '@gantry/core/contracts';

/** A container in the form log plugins get. */
interface LogInfo {
  readonly Config: Readonly<Record<string, string>>;
  readonly ContainerID: string;
  readonly ContainerName: string;
  readonly ContainerEntrypoint: string;
  readonly ContainerArgs: readonly string[];
  readonly ContainerImageID: string;
  readonly ContainerImageName: string;
  /** RFC 3339. */
  readonly ContainerCreated: string;
  readonly ContainerEnv: readonly string[];
  readonly ContainerLabels: Readonly<Record<string, string>>;
  readonly LogPath: string;
  readonly DaemonName: string;
}

export function toLogInfo(container: LogContainer): LogInfo {
  const [entrypoint = '', ...args] = container.command;
  return {
    Config: container.options,
    ContainerID: container.id,
    ContainerName: `/${container.name}`,
    ContainerEntrypoint: entrypoint,
    ContainerArgs: args,
    ContainerImageID: container.imageId,
    ContainerImageName: container.imageName,
    ContainerCreated: container.createdAt.toISOString(),
    ContainerEnv: container.env,
    ContainerLabels: container.labels,
    LogPath: '',
    DaemonName: 'gantry',
  };
}
