import type { LayerRecord } from '../store/image-record.js';

/** Sorts layers so that each comes before its parent: the order in which they can be removed. @returns chain IDs. */
export function topDown(layers: readonly LayerRecord[]): readonly string[] {
  const depth = new Map<string, number>();
  const byId = new Map(layers.map((layer) => [layer.chainId, layer]));
  const depthOf = (layer: LayerRecord): number => {
    const parent = layer.parentChainId === undefined ? undefined : byId.get(layer.parentChainId);
    return depth.get(layer.chainId) ?? (parent === undefined ? 0 : 1 + depthOf(parent));
  };
  for (const layer of layers) depth.set(layer.chainId, depthOf(layer));
  return layers.map(({ chainId }) => chainId).sort((a, b) => (depth.get(b) ?? 0) - (depth.get(a) ?? 0));
}
