import { join } from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { EntryIndex } from './entry-index.js';

/** Which layers and writables there are, where they are, and what they are made on. */
@injectable()
export class LayerIndex {
  readonly layers: EntryIndex;
  readonly writables: EntryIndex;

  constructor(@inject(PackageDirectories) { root }: Pick<PackageDirectories, 'root'>) {
    this.layers = new EntryIndex(join(root, 'layers'));
    this.writables = new EntryIndex(join(root, 'writables'));
  }

  async load(): Promise<void> {
    await Promise.all([this.layers.load(), this.writables.load()]);
  }

  hasWritable(id: string): boolean {
    return this.writables.has(id);
  }

  /** @throws EngineError `not-found`. */
  layerDirectory(id: string): string {
    if (!this.layers.has(id)) throw notFound(`layer ${id} does not exist`);
    return this.layers.path(id);
  }

  /** @throws EngineError `not-found`. */
  writableDirectory(id: string): string {
    if (!this.writables.has(id)) throw notFound(`writable layer ${id} does not exist`);
    return this.writables.path(id);
  }

  /** The files a layer consists of. */
  contentOf(layer: string): string {
    return join(this.layers.path(layer), 'diff');
  }

  /** A layer, its parent, and so on. */
  chainFrom(layer: string | undefined): readonly string[] {
    const chain: string[] = [];
    for (let id = layer; id !== undefined; id = this.layers.parentOf(id)) chain.push(id);
    return chain;
  }

  parentOf(id: string, kind: 'layer' | 'writable'): string | undefined {
    return (kind === 'layer' ? this.layers : this.writables).parentOf(id);
  }
}
