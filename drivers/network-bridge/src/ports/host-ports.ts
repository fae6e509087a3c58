import { isIP } from 'node:net';
import type { PortRequest, PublishedPort } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import {
  conflict,
  EngineError,
  forbidden,
  internal,
  invalidArgument,
  messageOf,
  notImplemented,
} from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { Sysctl } from '@gantry/lib-linux/netlink';
import { HostSockets } from '@gantry/lib-linux/sockets';
import { familyOf } from '@gantry/lib-network';
import type { HeldPort } from './held-port.js';
import { SctpPorts } from './sctp-ports.js';
import { TcpPort } from './tcp-port.js';
import { UdpPort } from './udp-port.js';

/** Ports of the host. Each is reserved by a socket: the kernel decides whether it is free. */
@injectable()
export class HostPorts {
  readonly #sctp = new SctpPorts();
  /** Where the search for a free port continues, by protocol. */
  readonly #next = new Map<string, number>();

  constructor(
    @inject(HostSockets.token) private readonly sockets: HostSockets,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /**
   * Reserves the requested ports, all or none. `hostIp` applies to requests without an address; without it they get
   * every address. Synchronous, hence atomic.
   * @throws EngineError `conflict` ("Bind for 0.0.0.0:80 failed: port is already allocated"), `invalid-argument`.
   */
  reserve(requests: readonly PortRequest[], hostIp?: string): HeldPort[] {
    const held: HeldPort[] = [];
    try {
      for (const request of requests) held.push(...this.#reserveOne(request, this.#addressesOf(request, hostIp)));
      return held;
    } catch (error) {
      for (const port of held) port.close();
      throw error;
    }
  }

  /** Reserves a port of an earlier daemon again. Undefined: another program has bound it. */
  reclaim(published: PublishedPort): HeldPort | undefined {
    try {
      return this.#open(published);
    } catch (error) {
      if (EngineError.is(error)) return undefined;
      throw error;
    }
  }

  #reserveOne(request: PortRequest, addresses: readonly string[]): HeldPort[] {
    const { hostPort, hostPortEnd = hostPort } = request;
    if (hostPort === 0) return this.#reserveEphemeral(request, addresses);
    for (let port = hostPort; port <= hostPortEnd; port++) {
      try {
        return this.#reserveOnAll(request, addresses, port);
      } catch (error) {
        if (!isTaken(error) || hostPort === hostPortEnd) throw error;
      }
    }
    throw conflict(`Bind for ${printed(addresses[0], `${hostPort}-${hostPortEnd}`)} failed: port is already allocated`);
  }

  /** Cycles through the range, so that a port is reused as late as possible. */
  #reserveEphemeral(request: PortRequest, addresses: readonly string[]): HeldPort[] {
    const { first, last } = this.#ephemeralRange();
    const start = this.#next.get(request.protocol) ?? first;
    const size = last - first + 1;
    for (let step = 0; step < size; step++) {
      const port = first + ((Math.max(start, first) - first + step) % size);
      try {
        const held = this.#reserveOnAll(request, addresses, port);
        this.#next.set(request.protocol, port + 1);
        return held;
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    throw conflict('all ports are allocated');
  }

  /** The same port on each of the addresses. */
  #reserveOnAll({ protocol, containerPort }: PortRequest, addresses: readonly string[], hostPort: number) {
    const held: HeldPort[] = [];
    try {
      for (const hostIp of addresses) held.push(this.#open({ protocol, containerPort, hostIp, hostPort }));
      return held;
    } catch (error) {
      for (const port of held) port.close();
      throw error;
    }
  }

  #open(published: PublishedPort): HeldPort {
    const { protocol, hostIp, hostPort } = published;
    const address = { address: hostIp, port: hostPort };
    try {
      if (protocol === 'tcp') return new TcpPort(published, this.sockets.listenTcp(address).fd);
      if (protocol === 'udp') return new UdpPort(published, this.sockets.bindUdp(address).fd);
      if (isInUserNamespace()) throw notImplemented(`Bind for ${printed(hostIp, `${hostPort}`)} failed: ${noSctp}`);
      return this.#sctp.reserve(published);
    } catch (cause) {
      if (EngineError.is(cause)) throw cause;
      throw refusal(published, cause);
    }
  }

  #addressesOf({ hostIp, containerPort, hostPort, hostPortEnd }: PortRequest, preset?: string): readonly string[] {
    for (const port of [containerPort, hostPort, hostPortEnd ?? hostPort]) {
      if (!Number.isInteger(port) || port < 0 || port > 65535) throw invalidArgument(`invalid port number ${port}`);
    }
    const address = hostIp ?? preset;
    if (address === undefined) return this.#hasIpv6() ? ['0.0.0.0', '::'] : ['0.0.0.0'];
    if (isIP(address) === 0) throw invalidArgument(`invalid host address ${address} for a published port`);
    return [address];
  }

  #hasIpv6(): boolean {
    return this.sysctl.read('net/ipv6/conf/all/disable_ipv6') !== undefined;
  }

  #ephemeralRange(): { readonly first: number; readonly last: number } {
    const [first = 32768, last = 60999] = (this.sysctl.read('net/ipv4/ip_local_port_range') ?? '')
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(Number);
    return { first, last };
  }
}

/** Packets to these ports are redirected by rules, which a rootless daemon cannot have in the host's network. */
const noSctp = 'SCTP ports cannot be published by a rootless engine';

function refusal({ hostIp, hostPort }: PublishedPort, cause: unknown): EngineError {
  const where = printed(hostIp, `${hostPort}`);
  if (isErrno(cause, 'EADDRINUSE')) return conflict(`Bind for ${where} failed: port is already allocated`, { cause });
  if (isErrno(cause, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) {
    return invalidArgument(`Bind for ${where} failed: cannot assign requested address`, { cause });
  }
  if (isErrno(cause, 'EACCES')) {
    return forbidden(
      `Bind for ${where} failed: permission denied: cannot expose privileged port ${hostPort}; choose a port from net.ipv4.ip_unprivileged_port_start on (usually 1024), or lower that setting of the host`,
      { cause },
    );
  }
  return internal(`Bind for ${where} failed: ${messageOf(cause)}`, { cause });
}

const isTaken = (error: unknown): boolean => EngineError.is(error) && error.kind === 'conflict';

const printed = (address = '0.0.0.0', port: string): string =>
  familyOf(address) === 'ipv4' ? `${address}:${port}` : `[${address}]:${port}`;
