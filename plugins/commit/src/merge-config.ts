import { type ContainerRecord, inheritVariables, unite } from '@gantry/containers/service';
import type { ImageConfig } from '@gantry/images/service';
import type { CommitBody } from './commit-body.js';

type ContainerConfig = ContainerRecord['config'];

/** The body as a configuration; undefined when it is empty, and the container's own is used. */
export function ownConfig(body: CommitBody | undefined): ImageConfig | undefined {
  const fields = Object.entries(body ?? {});
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      (name === 'Cmd' || name === 'Entrypoint') && typeof value === 'string' ? [value] : value,
    ]),
  );
}

/**
 * Merges the client's configuration with the container's: maps are united, the environment is merged by name, and
 * everything else is the client's unless it is empty. A command of the client's does not replace the container's
 * entrypoint, as on a command line.
 */
export function mergeConfig(own: ImageConfig, container: ContainerConfig): ImageConfig {
  const merged: Record<string, unknown> = {
    ...own,
    User: own.User || container.User,
    Env: inheritVariables(own.Env, container.Env),
    Labels: { ...container.Labels, ...own.Labels },
    ExposedPorts: unite(container.ExposedPorts, own.ExposedPorts),
    Volumes: unite(container.Volumes, own.Volumes),
    WorkingDir: own.WorkingDir || container.WorkingDir,
    StopSignal: own.StopSignal || container.StopSignal,
    Healthcheck: own.Healthcheck ?? container.Healthcheck,
    Shell: own.Shell?.length ? own.Shell : container.Shell,
    Entrypoint: own.Entrypoint?.length ? own.Entrypoint : container.Entrypoint,
    Cmd: own.Cmd?.length || own.Entrypoint?.length ? own.Cmd : container.Cmd,
  };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
