import type { LogContainer } from '@gantry/core/contracts';

/** A container in the form log plugins get. */
export function toLogInfo(container: LogContainer): object {
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
