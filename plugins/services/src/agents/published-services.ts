import type { TaskRecord } from '../records/task-record.js';
import type { PublishedService } from '../service.js';
import { modeOfPort, protocolOf } from '../spec/ports.js';

type Target = PublishedService['targets'][number];

/** The ports of the cluster with the running tasks behind them; a task that is to be stopped gets no connections. */
export function publishedServices(tasks: readonly TaskRecord[]): readonly PublishedService[] {
  const published = new Map<string, Omit<PublishedService, 'targets'> & { readonly targets: Target[] }>();
  for (const task of tasks) {
    for (const port of task.Ports.filter((candidate) => modeOfPort(candidate) === 'ingress')) {
      const { PublishedPort: publishedPort = 0, TargetPort: target = 0 } = port;
      const protocol = protocolOf(port);
      const key = `${publishedPort}/${protocol}`;
      const service = published.get(key) ?? { protocol, publishedPort, targets: [] };
      published.set(key, service);
      const containerId = task.Status.ContainerStatus?.ContainerID ?? '';
      const isServing = task.Status.State === 'running' && task.DesiredState === 'running' && containerId !== '';
      if (isServing) service.targets.push({ containerId, port: target });
    }
  }
  return [...published.values()];
}
