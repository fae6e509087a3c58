import { type ContainerSummary, nameOf } from '../../../api/container-types';
import type { Network } from '../../../api/network-types';

export interface Box {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly y: number;
}

export interface Layout {
  readonly height: number;
  readonly networks: readonly Box[];
  readonly containers: readonly (Box & { readonly ports: string })[];
  readonly lines: readonly { readonly network: Box; readonly container: Box; readonly address: string }[];
}

const step = 52;
const top = 8;

function portsOf({ Ports }: ContainerSummary): string {
  const published = Ports.flatMap(({ PublicPort, PrivatePort, Type }) =>
    PublicPort === undefined ? [] : [`${PublicPort}→${PrivatePort}/${Type}`],
  );
  return [...new Set(published)].join(', ');
}

/** Networks at the left, containers at the right, ordered by their network so that few lines cross. */
export function layoutOf(networks: readonly Network[], containers: readonly ContainerSummary[]): Layout {
  const joined = containers.flatMap((container) =>
    Object.entries(container.NetworkSettings?.Networks ?? {}).map(([name, endpoint]) => ({
      container,
      name,
      endpoint,
    })),
  );
  const used = networks.filter(({ Name, Driver }) => joined.some(({ name }) => name === Name) || Driver !== 'null');
  const rank = new Map(used.map(({ Name }, at) => [Name, at]));
  const rankOf = (container: ContainerSummary): number =>
    Math.min(
      ...Object.keys(container.NetworkSettings?.Networks ?? {}).map((name) => rank.get(name) ?? rank.size),
      rank.size,
    );
  const shown = containers.filter(({ Id }) => joined.some(({ container }) => container.Id === Id));
  const ordered = [...shown].sort((a, b) => rankOf(a) - rankOf(b) || nameOf(a).localeCompare(nameOf(b)));
  const height = Math.max(used.length, ordered.length, 1) * step + top;
  const spread = (count: number, at: number): number =>
    top + ((at + 0.5) * (height - top)) / Math.max(count, 1) - step / 2;
  const networkBoxes = used.map(({ Id, Name, Driver }, at) => ({
    id: Id,
    name: Name,
    detail: Driver,
    y: spread(used.length, at),
  }));
  const containerBoxes = ordered.map((container, at) => ({
    id: container.Id,
    name: nameOf(container),
    detail: container.State,
    ports: portsOf(container),
    y: spread(ordered.length, at),
  }));
  const lines = joined.flatMap(({ container, name, endpoint }) => {
    const from = networkBoxes.find((box) => box.name === name);
    const to = containerBoxes.find((box) => box.id === container.Id);
    return from === undefined || to === undefined
      ? []
      : [{ network: from, container: to, address: endpoint.IPAddress }];
  });
  return { height, networks: networkBoxes, containers: containerBoxes, lines };
}
