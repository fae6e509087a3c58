import { variableName } from '../inherit.js';
import type { ContainerRecord } from '../record.js';
import type { ResolvedLink } from '../sandbox/resolved-link.js';

const defaultPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Later entries win; one without `=` takes the variable out. The order of first mention is kept. */
export function mergeEnvironment(...lists: readonly (readonly string[])[]): readonly string[] {
  const merged = new Map<string, string | undefined>();
  for (const entry of lists.flat()) merged.set(variableName(entry), entry.includes('=') ? entry : undefined);
  return [...merged.values()].filter((entry) => entry !== undefined);
}

/** What a container's first process starts with. */
export function containerEnvironment(record: ContainerRecord, links: readonly ResolvedLink[]): readonly string[] {
  const { config } = record;
  return mergeEnvironment(
    [defaultPath, `HOSTNAME=${config.Hostname ?? ''}`],
    config.Tty === true ? ['TERM=xterm'] : [],
    links.flatMap((link) => linkEnvironment(record.name, link)),
    config.Env ?? [],
  );
}

/** The variables of a link in the form that programs of old look for: ALIAS_PORT_80_TCP_ADDR and so on. */
export function linkEnvironment(name: string, { alias, container, endpoint }: ResolvedLink): readonly string[] {
  const prefix = alias.replaceAll('-', '_').toUpperCase();
  const address = endpoint?.ipv4Address ?? '';
  const ports = Object.keys(container.config.ExposedPorts ?? {})
    .map((port) => port.split('/'))
    .map(([number = '', protocol = 'tcp']) => ({ number: Number(number), protocol }))
    .filter(({ number }) => Number.isInteger(number))
    .sort((a, b) => a.number - b.number);
  const [first] = ports;
  return [
    `${prefix}_NAME=/${name}/${alias}`,
    ...(first === undefined ? [] : [`${prefix}_PORT=${first.protocol}://${address}:${first.number}`]),
    ...ports.flatMap(({ number, protocol }) => {
      const key = `${prefix}_PORT_${number}_${protocol.toUpperCase()}`;
      return [
        `${key}=${protocol}://${address}:${number}`,
        `${key}_ADDR=${address}`,
        `${key}_PORT=${number}`,
        `${key}_PROTO=${protocol}`,
      ];
    }),
    ...(container.config.Env ?? [])
      .filter((entry) => !/^(HOME|PATH)=/.test(entry))
      .map((entry) => `${prefix}_ENV_${entry}`),
  ];
}
