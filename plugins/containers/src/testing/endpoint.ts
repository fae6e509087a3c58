import type { Endpoint } from '@gantry/networks/service';

/** An endpoint of the default network. */
export const endpoint = (changes: Partial<Endpoint> = {}): Endpoint => ({
  id: 'endpoint-id',
  networkId: 'bridge-id',
  networkName: 'bridge',
  interfaceName: 'eth0',
  macAddress: '02:42:ac:11:00:02',
  ipv4Address: '172.17.0.2',
  ipv4PrefixLength: 16,
  gateway: '172.17.0.1',
  ipv6Address: '',
  ipv6PrefixLength: 0,
  ipv6Gateway: '',
  aliases: [],
  ports: [],
  isGateway: false,
  ...changes,
});
