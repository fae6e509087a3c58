import { LoadBalancerDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Conntrack } from '@gantry/lib-linux/conntrack';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';
import { Sockets } from '@gantry/lib-linux/sockets';
import { Type } from '@sinclair/typebox';
import { AnswerPaths } from './answers/answer-paths.js';
import { KernelProbe } from './answers/kernel-probe.js';
import { HeldPorts } from './mesh/held-ports.js';
import { MeshLink } from './mesh/mesh-link.js';
import { PublishPorts } from './mesh/publish-ports.js';
import { UdpFlows } from './mesh/udp-flows.js';
import { NftablesLoadBalancer } from './nftables-load-balancer.js';
import { VirtualUdpFlows } from './services/virtual-udp-flows.js';

export default defineDriver({
  id: 'nftables',
  provides: LoadBalancerDrivers,
  requires: [Conntrack, Namespaces, Netlink, Nftables, Sockets, Sysctl],
  configSchema: Type.Object({}, { additionalProperties: false }),
  create({ container }) {
    container.register(AnswerPaths, KernelProbe, MeshLink, HeldPorts, UdpFlows, VirtualUdpFlows);
    container.registerHooks(PublishPorts);
    return NftablesLoadBalancer;
  },
});
