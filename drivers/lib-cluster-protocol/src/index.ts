export { addressesOfHost } from './addresses/host-address.js';
export { fetchRootCertificate } from './client/fetch-root-certificate.js';
export { leastPingInterval, NodeConnection } from './client/node-connection.js';
export type { NodeIdentity } from './identity/node-identity.js';
export { managerName, type NodeRole, type Peer, roleOfCertificate, roleUnits } from './identity/peer.js';
export { NodeListener } from './server/node-listener.js';
export type { NodeRequest, NodeRoute, NodeRouteTable } from './server/node-route.js';
