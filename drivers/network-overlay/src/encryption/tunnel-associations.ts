import { hkdfSync } from 'node:crypto';
import type { TunnelKey } from '@gantry/core/contracts';
import type { NewSecurityAssociation } from '@gantry/lib-linux/ipsec';

const keyBytes = 36;
const spiBytes = 4;
/** The kernel's and the standard's lowest numbers are reserved. */
const lowestSpi = 256;

interface NodeTunnels {
  /** Address of this node. */
  readonly address: string;
  /** Addresses of the nodes at the other ends. */
  readonly nodes: Iterable<string>;
  readonly keys: readonly TunnelKey[];
  readonly requestId: number;
}

/** What a node needs to receive from the others with every key, and to send to them with the one for that. */
export function tunnelAssociations({
  address,
  nodes,
  keys,
  requestId,
}: NodeTunnels): readonly NewSecurityAssociation[] {
  return [...nodes].flatMap((node) =>
    keys.flatMap((key) => [
      derive(key, node, address, requestId),
      ...(key.sends ? [derive(key, address, node, requestId)] : []),
    ]),
  );
}

/**
 * Each direction between two nodes has a key of its own, so that no two nodes use one cipher key with the same numbers of
 * packets.
 */
function derive(key: TunnelKey, source: string, destination: string, requestId: number): NewSecurityAssociation {
  const about = `gantry overlay ${key.id} ${source} ${destination}`;
  const secret = Buffer.from(key.secret, 'base64');
  const bytes = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), about, keyBytes + spiBytes));
  const spi = Math.max(bytes.readUInt32BE(keyBytes), lowestSpi);
  return { source, destination, spi, requestId, key: bytes.subarray(0, keyBytes) };
}
