import { notFound } from '@gantry/core/errors';

/** @throws EngineError `not-found`. */
export function networkOf<Network>(networks: ReadonlyMap<string, Network>, networkId: string): Network {
  const network = networks.get(networkId);
  if (network === undefined) throw notFound(`network ${networkId} not found`);
  return network;
}
