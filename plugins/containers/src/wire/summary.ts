import type { LiveFacts } from '../interfaces.js';
import type { ContainerRecord } from '../record.js';
import { toMounts } from './mounts.js';
import { toNetworks } from './network-settings.js';
import { type DeclaredPort, declaredPorts, toPortList } from './ports.js';
import { statusOf, statusText } from './status-text.js';

/** What only changes with the record. Lists are asked for all the time, records change seldom. */
interface Fixed {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly ImageID: string;
  readonly Command: string;
  readonly Created: number;
  readonly declared: readonly DeclaredPort[];
  readonly labels: Readonly<Record<string, string>>;
  readonly state: string;
  readonly hostConfig: { readonly NetworkMode: string };
  readonly mounts: readonly object[];
}

const made = new WeakMap<ContainerRecord, Fixed>();

function fixedOf(record: ContainerRecord): Fixed {
  let fixed = made.get(record);
  if (fixed === undefined) {
    fixed = {
      Id: record.id,
      Names: [`/${record.name}`],
      Image: record.imageName,
      ImageID: record.imageId,
      Command: commandText(record),
      Created: Math.floor(Date.parse(record.createdAt) / 1000),
      declared: declaredPorts(record),
      labels: record.config.Labels ?? {},
      state: statusOf(record.state),
      hostConfig: { NetworkMode: record.hostConfig.NetworkMode ?? 'default' },
      mounts: toMounts(record),
    };
    made.set(record, fixed);
  }
  return fixed;
}

const commandText = ({ path, args }: ContainerRecord): string =>
  [path, ...args.map((argument) => (argument.includes(' ') ? `'${argument}'` : argument))].join(' ');

/** Spec: container summary. */
export function toSummary(record: ContainerRecord, live: LiveFacts, now: Date): object {
  const fixed = fixedOf(record);
  const { Id, Names, Image, ImageID, Command, Created } = fixed;
  return {
    Id,
    Names: live.linkNames?.length ? [...Names, ...live.linkNames] : Names,
    Image: live.imageMoved ? ImageID : Image,
    ImageID,
    Command,
    Created,
    Ports: toPortList(record, live, fixed.declared),
    ...(live.sizes !== undefined && { SizeRw: live.sizes.writable, SizeRootFs: live.sizes.rootfs }),
    Labels: fixed.labels,
    State: fixed.state,
    Status: statusText(record.state, live.health, now),
    HostConfig: fixed.hostConfig,
    NetworkSettings: { Networks: toNetworks(record, live.endpoints) },
    Mounts: fixed.mounts,
  };
}
