import { randomBytes } from 'node:crypto';
import { isErrno } from '../errors/linux-error.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { NetlinkTransport, type Request } from '../netlink/netlink-transport.js';
import { associationBody, associationIdBody, readAssociation } from './association-messages.js';
import {
  NETLINK_XFRM,
  XFRM_MSG_DELPOLICY,
  XFRM_MSG_DELSA,
  XFRM_MSG_GETPOLICY,
  XFRM_MSG_GETSA,
  XFRM_MSG_NEWSA,
  XFRM_MSG_UPDPOLICY,
} from './constants.js';
import type { Ipsec } from './ipsec.js';
import { policyBody, policyIdBody, readPolicy } from './policy-messages.js';

/** Of an association that is made to see whether the kernel can, and leads nowhere. */
const probed = { source: '127.0.0.1', destination: '127.255.255.254', requestId: 1 };

function use<T>(namespace: NamespaceReference | undefined, action: (transport: NetlinkTransport) => T): T {
  const make = (): NetlinkTransport => new NetlinkTransport(NETLINK_XFRM);
  const transport = namespace === undefined ? make() : kernelNamespaces.runInNetwork(namespace, make);
  try {
    return action(transport);
  } finally {
    transport.close();
  }
}

function change(namespace: NamespaceReference | undefined, type: number, body: Buffer, about: string): void {
  use(namespace, (transport) => transport.change([{ type, flags: 0, body, about }]));
}

function deletion(namespace: NamespaceReference | undefined, type: number, body: Buffer, about: string): void {
  try {
    change(namespace, type, body, about);
  } catch (error) {
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'ENOENT')) throw error;
  }
}

const question = (type: number, about: string): Request => ({ type, flags: 0, body: Buffer.alloc(0), about });

export const kernelIpsec: Ipsec = {
  probe(namespace) {
    const spi = (randomBytes(4).readUInt32BE() | 0x80000000) >>> 0;
    kernelIpsec.addAssociation({ ...probed, spi, key: randomBytes(36) }, namespace);
    kernelIpsec.deleteAssociation({ ...probed, spi }, namespace);
  },

  associations: (namespace) =>
    use(namespace, (transport) => transport.dump(question(XFRM_MSG_GETSA, 'associations'), readAssociation)),

  addAssociation(association, namespace) {
    change(namespace, XFRM_MSG_NEWSA, associationBody(association), `association with ${association.destination}`);
  },

  deleteAssociation(association, namespace) {
    deletion(namespace, XFRM_MSG_DELSA, associationIdBody(association), `association with ${association.destination}`);
  },

  policies: (namespace) =>
    use(namespace, (transport) => transport.dump(question(XFRM_MSG_GETPOLICY, 'policies'), readPolicy)),

  setPolicy(policy, namespace) {
    change(namespace, XFRM_MSG_UPDPOLICY, policyBody(policy), `policy for port ${policy.destinationPort}`);
  },

  deletePolicy(policy, namespace) {
    deletion(namespace, XFRM_MSG_DELPOLICY, policyIdBody(policy), `policy for port ${policy.destinationPort}`);
  },
};
