export { socketPair } from './descriptor-channel.js';
export { HostSockets, hostSocketsVariable } from './host-sockets.js';
export { type IpPrefix, ipBytes, ipPrefix, ipText } from './ip-address.js';
export { kernelSockets } from './kernel-sockets.js';
export { serveHostSockets } from './serve-host-sockets.js';
export { type OpenSocket, type PeerCredentials, type SocketAddress, Sockets } from './sockets.js';
