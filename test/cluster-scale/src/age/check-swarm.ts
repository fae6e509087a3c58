import { isDeepStrictEqual } from 'node:util';
import { certificateIn } from '../nodes/membership-files.js';
import { certificateFaults } from './certificates/certificate-faults.js';
import type { FleetProcess } from './fleet/fleet-process.js';
import type { YearManagers } from './managers/year-managers.js';

interface TaskShown {
  readonly ID: string;
  readonly ServiceID: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: { readonly State: string };
}

interface ServiceShown {
  readonly ID: string;
  readonly Spec: { readonly Name: string };
}

interface ExpectedSwarm {
  readonly managers: YearManagers;
  readonly fleet: FleetProcess;
  readonly services: readonly { readonly name: string; readonly replicas: number }[];
  readonly nodes: number;
}

/** By default so many tasks of a slot are kept, the present one included. */
const historyLimit = 5;

/** How a swarm differs from what it has to be once nothing changes any more; nothing when all is well. */
export async function checkSwarm({ fleet, managers, nodes, services }: ExpectedSwarm): Promise<readonly string[]> {
  const shown = await managers.listed();
  const swarm = await managers.swarm();
  const faults: string[] = [];
  if (shown.length !== nodes + managers.nodes.length) faults.push(`${shown.length} nodes are listed`);
  for (const { Description, ID, Status } of shown) {
    if (Status.State !== 'ready') faults.push(`node ${ID} is ${Status.State}`);
    if (!isDeepStrictEqual(Description.TLSInfo, swarm.TLSInfo)) faults.push(`node ${ID} shows another root`);
  }
  const own = managers.nodes.map(({ daemon }) => certificateIn(`${daemon.directory}/data`));
  const observed = await fleet.ask('observe');
  const certificates = [...(await Promise.all(own)), ...observed.certificates];
  faults.push(...certificateFaults(certificates, swarm.TLSInfo.TrustRoot, new Date()));
  const tasks = await managers.ask<readonly TaskShown[]>('GET', '/tasks');
  const listed = await managers.ask<readonly ServiceShown[]>('GET', '/services');
  faults.push(...taskFaults(tasks, listed, services));
  const expected = services.reduce((sum, { replicas }) => sum + replicas, 0);
  if (observed.runningContainers !== expected) faults.push(`${observed.runningContainers} containers run`);
  return faults;
}

function taskFaults(
  tasks: readonly TaskShown[],
  listed: readonly ServiceShown[],
  services: ExpectedSwarm['services'],
): readonly string[] {
  const faults: string[] = [];
  const names = listed.map(({ Spec }) => Spec.Name).sort();
  if (!isDeepStrictEqual(names, services.map(({ name }) => name).sort())) faults.push(`the services are ${names}`);
  const ids = new Set(listed.map(({ ID }) => ID));
  const orphans = tasks.filter(({ ServiceID }) => !ids.has(ServiceID));
  if (orphans.length > 0) faults.push(`${orphans.length} tasks have no service`);
  for (const { name, replicas } of services) {
    const id = listed.find(({ Spec }) => Spec.Name === name)?.ID;
    const own = tasks.filter(({ ServiceID }) => ServiceID === id);
    const running = own.filter(({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running');
    const slots = new Set(running.map(({ Slot }) => Slot));
    if (running.length !== replicas || slots.size !== replicas) faults.push(`${running.length} tasks of ${name} run`);
    for (const slot of new Set(own.map(({ Slot }) => Slot))) {
      const count = own.filter(({ Slot }) => Slot === slot).length;
      if (count > historyLimit) faults.push(`slot ${slot} of ${name} has ${count} tasks`);
    }
  }
  return faults;
}
