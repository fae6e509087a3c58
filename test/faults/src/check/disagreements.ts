import type { ContainerDetails, ContainerSummary } from '../wire.js';
import type { World } from '../world.js';

interface ContainerEvent {
  readonly Action: string;
  readonly id: string;
  /** Seconds. */
  readonly time: number;
  readonly Actor: { readonly Attributes: Readonly<Record<string, string>> };
}

/** Where the list, inspect, wait and the events of containers contradict each other; empty when they agree. */
export async function disagreements(world: World): Promise<readonly string[]> {
  const filters = encodeURIComponent(JSON.stringify({ type: ['container'] }));
  const now = `${Math.floor(Date.now() / 1000)}.${String(Date.now() % 1000).padStart(3, '0')}999999`;
  const text = String((await world.ask('GET', `/events?since=0&until=${now}&filters=${filters}`))?.text ?? '');
  const events = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ContainerEvent);
  const byContainer = grouped(events);
  const present = await world.must<ContainerSummary[]>('GET', '/containers/json?all=1');
  const ids = new Set(present.map(({ Id }) => Id));
  const wrong: string[] = [];
  for (const [id, own] of byContainer) {
    const isDestroyed = own.some(({ Action }) => Action === 'destroy');
    if (!ids.has(id) && !isDestroyed) wrong.push(`${id} is gone without a destroy event: ${actionsOf(own)}`);
    if (ids.has(id) && isDestroyed) wrong.push(`${id} exists after its destroy event: ${actionsOf(own)}`);
  }
  const since = events[0]?.time ?? 0;
  for (const id of ids) wrong.push(...(await contradictionsOf(world, id, byContainer.get(id) ?? [], since)));
  return wrong;
}

function grouped(events: readonly ContainerEvent[]): Map<string, ContainerEvent[]> {
  const groups = new Map<string, ContainerEvent[]>();
  for (const event of events) groups.set(event.id, [...(groups.get(event.id) ?? []), event]);
  return groups;
}

const actionsOf = (events: readonly ContainerEvent[]): string => events.map(({ Action }) => Action).join(' ');

async function contradictionsOf(
  { ask, must }: World,
  id: string,
  events: readonly ContainerEvent[],
  since: number,
): Promise<readonly string[]> {
  const answer = await ask('GET', `/containers/${id}/json`);
  // A start of the daemon removes orphaned containers in the background.
  if (answer?.status === 404 && answer.text.includes('No such container')) return [];
  if (answer?.status !== 200)
    throw new Error(`inspect of ${id}: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`);
  const { Created, Name, State } = JSON.parse(answer.text) as ContainerDetails;
  // The event history is bounded: older containers cannot be compared.
  if (events.every(({ Action }) => Action !== 'create') && Date.parse(Created) / 1000 < since) return [];
  const count = (action: string) => events.filter(({ Action }) => Action === action).length;
  const wrong: string[] = [];
  const say = (words: string) => wrong.push(`${Name} ${State.Status}: ${words}; events: ${actionsOf(events)}`);
  if (count('create') !== 1) say(`${count('create')} events of its creation`);
  const runs = count('start') - count('die');
  if (runs !== (State.Running ? 1 : 0)) say(`${count('start')} starts and ${count('die')} ends in events`);
  if (State.Status !== 'exited') return wrong;
  const code = events.findLast(({ Action }) => Action === 'die')?.Actor.Attributes.exitCode;
  const { StatusCode } = await must<{ StatusCode: number }>('POST', `/containers/${id}/wait`);
  if (StatusCode !== State.ExitCode) say(`wait says ${StatusCode}, inspect ${State.ExitCode}`);
  // A failed start has no die event.
  if (code !== undefined && Number(code) !== State.ExitCode) say(`the event says ${code}, inspect ${State.ExitCode}`);
  return wrong;
}
