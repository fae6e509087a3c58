import { digestOf } from '../configuration/image-configuration.js';
import type { LayerRecord, StoredImage } from '../store/image-record.js';

/** The directory of one layer in the legacy form; the topmost has the image's configuration. */
export interface LegacyLayer {
  /** 64 hex digits. */
  readonly id: string;
  /** The `json` file. */
  readonly json: string;
  /** Undefined for an image without layers. */
  readonly layer: LayerRecord | undefined;
}

/**
 * Layers of an image in the legacy form, from the bottom up. An id is derived from the stack of layers, the topmost from
 * the configuration, too: equal images have equal ids.
 */
export function legacyLayers({ record, configuration }: StoredImage, layers: readonly LayerRecord[]): LegacyLayer[] {
  const made: LegacyLayer[] = [];
  for (const [index, layer] of (layers.length === 0 ? [undefined] : layers).entries()) {
    const isTop = index >= layers.length - 1;
    const parent = made.at(-1)?.id;
    const key = [layer?.chainId, parent, isTop ? record.id : undefined];
    const id = digestOf(JSON.stringify(key)).slice('sha256:'.length);
    const { rootfs: _layers, history: _history, ...described } = configuration;
    const document = isTop ? described : { created: '1970-01-01T00:00:00Z', os: configuration.os };
    made.push({ id, layer, json: JSON.stringify({ id, ...(parent !== undefined && { parent }), ...document }) });
  }
  return made;
}
