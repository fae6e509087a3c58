export { activate, type Protocol, protocolOfType, protocols } from './activate.js';
export type { PluginAddress } from './client/plugin-address.js';
export type { PluginAnswer } from './client/plugin-answer.js';
export { type CallOptions, PluginClient, type PluginClientOptions } from './client/plugin-client.js';
export { RemoteIpam } from './ipam/remote-ipam.js';
export { RemoteLogs } from './log/remote-logs.js';
export type { FifoPlace } from './log/remote-sink.js';
export type { InterfacePlacement } from './network/interface-placement.js';
export { KernelPlacement } from './network/kernel-placement.js';
export type { JoinAnswer } from './network/parse-join-answer.js';
export { RemoteNetworks } from './network/remote-networks.js';
export { protocolPorts } from './ports.js';
export {
  type AuthorizationDecision,
  type AuthorizationRequest,
  type AuthorizationResponse,
  RemoteAuthorization,
} from './remote-authorization.js';
export { confinedPaths, hostPaths, type PluginPaths } from './volume/plugin-paths.js';
export { RemoteVolumes } from './volume/remote-volumes.js';
export { SharedDirectories } from './volume/shared-directories.js';
