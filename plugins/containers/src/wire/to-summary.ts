import type { ContainerInfo } from 'dockerode';
import type { ContainerRecord } from '../record.js';
import type { ListedFacts } from './live-facts.js';
import { toNetworks } from './network-settings.js';
import { declaredPorts, toPortList } from './ports.js';
import type { ShownRecord } from './shown.js';
import { statusOf, statusText } from './status-text.js';
import { toMounts } from './to-mounts.js';

const commandText = ({ path, args }: ContainerRecord): string =>
  [path, ...args.map((argument) => (argument.includes(' ') ? `'${argument}'` : argument))].join(' ');

/** What stands before and behind the status in a summary, in the order clients know. */
function aroundStatus(record: ContainerRecord, live: ListedFacts) {
  const name = `/${record.name}`;
  const before = {
    Id: record.id,
    Names: [name, ...(live.linkNames ?? [])],
    Image: live.imageMoved ? record.imageId : record.imageName,
    ImageID: record.imageId,
    Command: commandText(record),
    Created: Math.floor(Date.parse(record.createdAt) / 1000),
    Ports: toPortList(record, live, declaredPorts(record)),
    ...(live.sizes !== undefined && { SizeRw: live.sizes.writable, SizeRootFs: live.sizes.rootfs }),
    Labels: record.config.Labels ?? {},
    State: statusOf(record.state),
  } satisfies ShownRecord<Partial<Omit<ContainerInfo, 'Ports'>>>;
  const behind = {
    HostConfig: { NetworkMode: record.hostConfig.NetworkMode ?? 'default' },
    NetworkSettings: { Networks: toNetworks(record, live.endpoints) },
    Mounts: toMounts(record),
  } satisfies ShownRecord<Partial<Omit<ContainerInfo, 'Ports'>>>;
  return [before, behind] as const;
}

/** The text around the status, and the facts it was made from: lists are asked for all the time, and seldom change. */
interface Prepared {
  readonly live: ListedFacts;
  readonly before: string;
  readonly behind: string;
}

const prepared = new WeakMap<ContainerRecord, Prepared>();

/** Spec: container summary, as JSON text. Only the status is formatted each time, since it contains a duration. */
export function toSummary(record: ContainerRecord, live: ListedFacts, now: Date): string {
  let text = prepared.get(record);
  if (text === undefined || !saysTheSame(text.live, live)) {
    const [before, behind] = aroundStatus(record, live).map((part) => JSON.stringify(part));
    text = { live, before: `${before?.slice(0, -1)},"Status":`, behind: `,${behind?.slice(1)}` };
    prepared.set(record, text);
  }
  return `${text.before}${JSON.stringify(statusText(record.state, live.health, now))}${text.behind}`;
}

const saysTheSame = (a: ListedFacts, b: ListedFacts): boolean =>
  a.imageMoved === b.imageMoved &&
  a.sizes?.writable === b.sizes?.writable &&
  a.sizes?.rootfs === b.sizes?.rootfs &&
  isSameList(a.endpoints, b.endpoints) &&
  isSameList(a.linkNames ?? [], b.linkNames ?? []);

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);
