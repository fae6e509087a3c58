import type { SwarmManager } from './start-manager.js';

interface Service {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: object;
  readonly ServiceStatus?: { readonly RunningTasks: number; readonly DesiredTasks: number };
}

interface ListedTask {
  readonly ID: string;
  readonly NodeID?: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: { readonly State: string };
}

/** The reference has a digest: no registry is asked which one its tag stands for. */
const image = `busybox@sha256:${'0'.repeat(64)}`;

interface ServiceOptions {
  readonly name: string;
  readonly replicas: number;
  /** A port that is published on every node. */
  readonly port?: number;
}

function serviceSpec({ name, port, replicas }: ServiceOptions): object {
  return {
    Name: name,
    Mode: { Replicated: { Replicas: replicas } },
    TaskTemplate: {
      ContainerSpec: { Image: image, Command: ['serve'] },
      RestartPolicy: { Condition: 'any', Delay: 0 },
    },
    ...(port !== undefined && { EndpointSpec: { Ports: [{ TargetPort: 80, PublishedPort: port }] } }),
  };
}

export const createService = (manager: SwarmManager, options: ServiceOptions): Promise<{ readonly ID: string }> =>
  manager.ask('POST', '/services/create', serviceSpec(options));

export async function removeService(manager: SwarmManager, name: string): Promise<void> {
  await manager.ask('DELETE', `/services/${name}`);
}

/** Tasks that run, as the manager shows them. */
export async function runningTasks(manager: SwarmManager): Promise<number> {
  const services = await manager.ask<readonly Service[]>('GET', '/services?status=1');
  return services.reduce((sum, { ServiceStatus: status }) => sum + (status?.RunningTasks ?? 0), 0);
}

export const listTasks = (manager: SwarmManager): Promise<readonly ListedTask[]> => manager.ask('GET', '/tasks');
