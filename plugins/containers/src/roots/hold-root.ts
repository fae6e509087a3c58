import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { mountVolumes, volumeUses } from '../mounts/mount-volumes.js';
import { type Parts, storageOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import type { HeldRoot } from './container-roots.js';

/** Mounts the root, with `volumes` the volumes too. On rejection nothing stays mounted. */
export async function holdRoot(
  parts: Parts,
  container: Container,
  { volumes }: { readonly volumes: boolean },
): Promise<HeldRoot> {
  const held = new Hold(parts, container, volumes);
  try {
    // What the last run held is on its way back; what is held from now on stays.
    await container.released;
    const { record } = container;
    const directory = await storageOf(parts, record).mount(container.id);
    const mounts = volumes ? await mountsOf(parts, container) : [];
    return { containerId: container.id, directory, mounts, release: () => held.release() };
  } catch (error) {
    await held.release();
    throw error;
  }
}

async function mountsOf(parts: Parts, { record }: Container): Promise<HeldRoot['mounts']> {
  // The run has mounted them already, and its record says where.
  const ready = isAlive(record.state)
    ? record.mounts.map((mount) => ({ mount, hostPath: mount.type === 'tmpfs' ? undefined : mount.source }))
    : await mountVolumes(parts, record);
  return ready.flatMap(({ mount, hostPath }) => (hostPath ? [{ mount, hostPath }] : []));
}

/** Unmounts a root that no run needs any more, unless somebody is looking at it, who then does it. */
export async function unmountRoot(parts: Parts, container: Container): Promise<void> {
  if (container.rootHolders === 0) await storageOf(parts, container.record).unmount(container.id);
}

class Hold {
  #isHeld = true;

  constructor(
    private readonly parts: Parts,
    private readonly container: Container,
    private readonly volumes: boolean,
  ) {
    container.rootHolders++;
  }

  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.container.rootHolders--;
    try {
      // After a start that is under way, so that nothing is taken from it.
      await this.container.queue.run(() => this.#unmount());
    } catch (error) {
      const facts = { event: 'container.root-left', container: this.container.id, reason: messageOf(error) };
      this.parts.log.error(facts, 'the root of a container that does not run stays mounted');
    }
  }

  async #unmount(): Promise<void> {
    const { container, parts } = this;
    if (container.rootHolders > 0 || container.isGone || isAlive(container.record.state)) return;
    await container.released;
    await unmountRoot(parts, container);
    if (!this.volumes) return;
    await Promise.all(volumeUses(container.record).map(({ name, use }) => parts.volumes.unmount(name, use)));
  }
}
