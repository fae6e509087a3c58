import { internal } from '@gantry/core/errors';
import { asList } from './client/plugin-answer.js';
import type { CallOptions, PluginClient } from './client/plugin-client.js';

/** The parts of the protocol the engine speaks. */
export const protocols = ['VolumeDriver', 'NetworkDriver', 'IpamDriver', 'LogDriver', 'authz'] as const;
export type Protocol = (typeof protocols)[number];

/** The interface types of a manifest, such as `docker.volumedriver/1.0`, and the parts they stand for. */
const byType: Readonly<Record<string, Protocol>> = {
  volumedriver: 'VolumeDriver',
  networkdriver: 'NetworkDriver',
  ipamdriver: 'IpamDriver',
  logdriver: 'LogDriver',
  authz: 'authz',
};

/** Shakes hands. Resolves to what the plugin implements; what the engine does not know is left out. */
export async function activate(client: PluginClient, options: CallOptions = {}): Promise<readonly Protocol[]> {
  const { Implements: said } = await client.call('Plugin.Activate', {}, options);
  if (!Array.isArray(said)) throw internal(`plugin "${client.name}" did not say what it implements`);
  return protocols.filter((protocol) => asList(said).includes(protocol));
}

/** The part of the protocol a manifest's interface type stands for. */
export function protocolOfType(type: string): Protocol | undefined {
  const name = /^(?:[\w-]+\.)?([\w-]+)(?:\/[\d.]+)?$/.exec(type)?.[1] ?? '';
  return Object.hasOwn(byType, name.toLowerCase()) ? byType[name.toLowerCase()] : undefined;
}
