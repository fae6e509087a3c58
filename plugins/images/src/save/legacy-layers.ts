import { digestOf } from '../image-configuration.js';
import type { LayerRecord, StoredImage } from '../image-record.js';

/** A directory of the form of the specification: one for each layer, the topmost with the image's configuration. */
export interface LegacyLayer {
  /** 64 hex digits. */
  readonly id: string;
  /** The `json` file. */
  readonly json: string;
  /** Undefined for an image that has no layers at all. */
  readonly layer: LayerRecord | undefined;
}

/**
 * Layers of an image in the form of the specification, from the bottom up. An id is made from the stack, and the
 * topmost from the configuration too, so that equal images have equal ids and others have others.
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
