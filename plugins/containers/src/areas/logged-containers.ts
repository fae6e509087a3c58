import path from 'node:path';
import type { LoggedContainer, LoggedContainers, LogSource } from '@gantry/container-logs/service';
import type { Container } from '../container.js';
import { directoryOf, type Parts, runtimeOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isRunning } from '../transitions.js';

/** A container as the log area needs it. */
export const loggedContainer = (parts: Pick<Parts, 'root'>, record: ContainerRecord): LoggedContainer => ({
  id: record.id,
  name: record.name,
  imageId: record.imageId,
  imageName: record.imageName,
  command: [record.path, ...record.args],
  createdAt: new Date(record.createdAt),
  labels: record.config.Labels ?? {},
  env: record.config.Env ?? [],
  options: record.hostConfig.LogConfig?.Config ?? {},
  directory: path.normalize(directoryOf(parts, record.id)),
  driver: record.hostConfig.LogConfig?.Type ?? '',
  terminal: record.config.Tty ?? false,
});

export const logSource = (parts: Pick<Parts, 'root'>, container: Container): LogSource => ({
  container: loggedContainer(parts, container.record),
  isRunning: () => !container.isGone && isRunning(container.record.state),
  ended: ({ signal }) =>
    container.until(({ state }) => !isRunning(state) && state.status !== 'starting', { signal }).catch(() => undefined),
});

/** The containers that requests for logs refer to. */
export class EngineLoggedContainers implements LoggedContainers {
  constructor(private readonly parts: Pick<Parts, 'root' | 'store' | 'runtimes'>) {}

  source(reference: string): LogSource {
    return logSource(this.parts, this.parts.store.get(reference));
  }

  async rotateSpool(id: string): Promise<string | undefined> {
    const container = this.parts.store.byId(id);
    return container === undefined ? undefined : runtimeOf(this.parts, container.record).rotateSpool(id);
  }
}
