import { internal } from '@gantry/core/errors';
import type { CallOptions, PluginClient } from './client/plugin-client.js';

/** The parts of the protocol that the engine supports. */
export const protocols = ['VolumeDriver', 'NetworkDriver', 'IpamDriver', 'LogDriver', 'authz'] as const;
export type Protocol = (typeof protocols)[number];

/** The part of the protocol by the name in a manifest's interface type, such as `docker.volumedriver/1.0`. */
const byType: Readonly<Record<string, Protocol>> = {
  volumedriver: 'VolumeDriver',
  networkdriver: 'NetworkDriver',
  ipamdriver: 'IpamDriver',
  logdriver: 'LogDriver',
  authz: 'authz',
};

/** Performs the handshake. Resolves to the parts that the plugin implements and the engine supports. */
export async function activate(client: PluginClient, options: CallOptions = {}): Promise<readonly Protocol[]> {
  const { Implements: implemented } = await client.call('Plugin.Activate', {}, options);
  // A plugin that implements nothing may answer null.
  const names = implemented ?? [];
  if (!Array.isArray(names)) throw internal(`plugin "${client.name}" did not answer a list of what it implements`);
  return protocols.filter((protocol) => names.includes(protocol));
}

/** The part of the protocol for an interface type of a manifest. */
export function protocolOfType(type: string): Protocol | undefined {
  const name = /^(?:[\w-]+\.)?([\w-]+)(?:\/[\d.]+)?$/.exec(type)?.[1] ?? '';
  return Object.hasOwn(byType, name.toLowerCase()) ? byType[name.toLowerCase()] : undefined;
}
