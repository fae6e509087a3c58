import { isIP } from 'node:net';
import type { PortRequest, PublishedPort } from '@gantry/core/contracts';
import { asList, asObject, asText, type PluginAnswer } from '../client/plugin-answer.js';

/** The key of published ports in options. */
export const portMapKey = 'com.docker.network.portmap';

const numbers = { tcp: 6, udp: 17, sctp: 132 } as const;

/** A port to publish, in the form of the protocol. */
interface PortBinding {
  readonly Proto: number;
  readonly IP: string;
  readonly Port: number;
  readonly HostIP: string;
  readonly HostPort: number;
  readonly HostPortEnd: number;
}

export const toPortMap = (ports: readonly PortRequest[]): readonly PortBinding[] =>
  ports.map(({ protocol, containerPort, hostIp, hostPort, hostPortEnd }) => ({
    Proto: numbers[protocol],
    IP: '',
    Port: containerPort,
    HostIP: hostIp ?? '',
    HostPort: hostPort,
    HostPortEnd: hostPortEnd ?? hostPort,
  }));

/** Ports that a plugin reports as published; invalid entries are ignored. */
export function fromPortMap(value: unknown): readonly PublishedPort[] {
  return asList(value).flatMap((entry): readonly PublishedPort[] => {
    const fields: PluginAnswer = asObject(entry) ?? {};
    const protocol = (['tcp', 'udp', 'sctp'] as const).find((name) => numbers[name] === fields.Proto);
    const { Port: containerPort, HostPort: hostPort } = fields;
    if (protocol === undefined || !isPort(containerPort) || !isPort(hostPort)) return [];
    const hostIp = asText(fields.HostIP) ?? '0.0.0.0';
    return isIP(hostIp) === 0 ? [] : [{ protocol, containerPort, hostIp, hostPort }];
  });
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 65536;
