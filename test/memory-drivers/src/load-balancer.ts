import { isIPv4 } from 'node:net';
import {
  type AnswerPath,
  type BalancedPort,
  type BalancedService,
  type LoadBalancerDriver,
  LoadBalancerDrivers,
  type Sandbox,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

/** Virtual addresses and ports that lead nowhere: what it was given can be read back. */
class MemoryLoadBalancer implements LoadBalancerDriver {
  readonly services = new Map<string, readonly BalancedService[]>();
  readonly answers = new Map<string, AnswerPath>();
  ports: readonly BalancedPort[] = [];

  constructor(
    /** What it says that the kernel lacks. */
    private readonly obstacle: string | undefined,
  ) {}

  async balance({ id, path }: Sandbox, services: readonly BalancedService[]): Promise<void> {
    const addresses = services.map(({ address }) => address);
    for (const text of services.flatMap(({ address, backends }) => [address, ...backends])) {
      if (!isIPv4(text)) throw invalidArgument(`"${text}" is not an IPv4 address`);
    }
    const twice = addresses.find((address, index) => addresses.indexOf(address) !== index);
    if (twice !== undefined) throw invalidArgument(`the virtual address ${twice} is listed twice`);
    if (path.endsWith('-gone')) throw notFound(`sandbox ${id} not found`);
    this.services.set(id, services);
  }

  async publish(mesh: Sandbox | undefined, ports: readonly BalancedPort[]): Promise<readonly BalancedPort[]> {
    const keys = ports.map(({ port, protocol }) => `${port}/${protocol}`);
    for (const number of ports.flatMap(({ port, targetPort }) => [port, targetPort])) {
      if (!Number.isInteger(number) || number < 1 || number > 65_535) throw invalidArgument(`${number} is not a port`);
    }
    for (const backend of ports.flatMap(({ backends, transparent = [] }) => [...backends, ...transparent])) {
      if (!isIPv4(backend)) throw invalidArgument(`"${backend}" is not an IPv4 address`);
    }
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    if (twice !== undefined) throw invalidArgument(`the port ${twice} is listed twice`);
    if (ports.length > 0 && (mesh === undefined || mesh.path.endsWith('-gone'))) {
      throw notFound(`sandbox ${mesh?.id ?? 'of the mesh'} not found`);
    }
    this.ports = ports;
    return [];
  }

  async clientAddressObstacle(): Promise<string | undefined> {
    return this.obstacle;
  }

  async answerThrough({ id, path }: Sandbox, answers: AnswerPath | undefined): Promise<void> {
    const { address = '0.0.0.0', meshes = [], subnets = [] } = answers ?? {};
    for (const text of [address, ...meshes.map((mesh) => mesh.address)]) {
      if (!isIPv4(text)) throw invalidArgument(`"${text}" is not an IPv4 address`);
    }
    for (const subnet of subnets) {
      if (!/^[\d.]+\/\d+$/.test(subnet)) throw invalidArgument(`"${subnet}" is not an IPv4 subnet`);
    }
    for (const { macAddress } of meshes) {
      if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(macAddress)) {
        throw invalidArgument(`"${macAddress}" is not a MAC address`);
      }
    }
    if (path.endsWith('-gone')) throw notFound(`sandbox ${id} not found`);
    if (answers === undefined) this.answers.delete(id);
    else this.answers.set(id, answers);
  }
}

export const loadBalancer = defineDriver({
  id: 'memory',
  provides: LoadBalancerDrivers,
  configSchema: Type.Object({ obstacle: Type.Optional(Type.String()) }),
  create: ({ config }) => new MemoryLoadBalancer(config.obstacle),
});
