import { createHash } from 'node:crypto';

/** In the namespace of each network. */
export const bridgeName = 'br0';
export const tunnelName = 'vxlan0';

/** The end of an endpoint's link in the namespace of its network. */
export const vethNameOf = (endpointId: string): string =>
  `veth${createHash('sha256').update(endpointId).digest('hex').slice(0, 11)}`;
