import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { NetworkNode } from '@gantry/core/contracts';
import { isRecord, Mutex, replaceFile } from '@gantry/core/driver';

/** Announces a node, or that it is gone. Rejects when the plugin does not answer. */
type Announce = (method: 'DiscoverNew' | 'DiscoverDelete', node: NetworkNode) => Promise<void>;

/**
 * The nodes that a plugin knows, in a file: a plugin goes on while the daemon is down, and has to hear then of the nodes
 * that have left meanwhile.
 */
export class AnnouncedNodes {
  readonly #mutex = new Mutex();
  #known: Map<string, NetworkNode> | undefined;
  #isRestarted = true;

  /** @param file undefined: it is kept as long as this object. */
  constructor(private readonly file: string | undefined) {}

  /** The plugin may have just started, and know none. */
  restarted(): void {
    this.#isRestarted = true;
  }

  /** Announces what makes a difference to what the plugin knows. */
  update(nodes: readonly NetworkNode[], announce: Announce): Promise<void> {
    return this.#mutex.run(async () => {
      this.#known ??= await this.#read();
      const known = this.#known;
      const present = new Map(nodes.map((node) => [node.id, node]));
      const gone = [...known.values()].filter((node) => !isDeepStrictEqual(present.get(node.id), node));
      const isKnown = (node: NetworkNode) => !this.#isRestarted && isDeepStrictEqual(known.get(node.id), node);
      // A plugin needs to know its own address before it can connect with others.
      const added = nodes
        .filter((node) => !isKnown(node))
        .sort((one, other) => Number(other.isSelf) - Number(one.isSelf));
      if (gone.length + added.length === 0) return;
      this.#isRestarted = false;
      try {
        for (const node of gone) {
          await announce('DiscoverDelete', node);
          known.delete(node.id);
        }
        for (const node of added) known.set(node.id, node);
        await this.#write(known); // before the plugin knows them: a crash between would leave it with nodes for good
        for (const node of added) await announce('DiscoverNew', node);
      } catch (error) {
        this.#isRestarted = true;
        throw error;
      }
    });
  }

  async #read(): Promise<Map<string, NetworkNode>> {
    const nodes = new Map<string, NetworkNode>();
    if (this.file === undefined) return nodes;
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '[]';
    });
    for (const node of parseList(text)) {
      if (isRecord(node) && typeof node.id === 'string') nodes.set(node.id, node as unknown as NetworkNode);
    }
    return nodes;
  }

  async #write(nodes: ReadonlyMap<string, NetworkNode>): Promise<void> {
    if (this.file === undefined) return;
    await mkdir(path.dirname(this.file), { recursive: true });
    await replaceFile(this.file, JSON.stringify([...nodes.values()]), { flush: true });
  }
}

/** A corrupted file counts as an empty one. */
function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
