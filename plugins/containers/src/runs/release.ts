import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { volumeUses } from '../mounts/mount-volumes.js';
import { type Parts, runtimeOf } from '../parts.js';
import { unmountRoot } from '../roots/hold-root.js';

/**
 * Gives back everything a run holds, or a start has got so far: task, networks, volumes, root file system. What is
 * not held is passed over. Never rejects: what cannot be given back is reported, and the next daemon tries again.
 */
export async function release(parts: Parts, container: Container): Promise<void> {
  const { record, id } = container;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const facts = { event: 'container.release-failed', container: id, what, reason: messageOf(error) };
      parts.log.error(facts, 'something of an ended container is left');
    }
  };
  const task = attempt('task', () => runtimeOf(parts, record).delete(id, { force: true }));
  const networks = attempt('networks', () => container.networkCalls.run(() => parts.networks.close(id)));
  const root = task.then(() => attempt('root file system', () => unmountRoot(parts, container)));
  await Promise.all([task, networks]);
  // Clients are told of the networks first.
  const volumes = volumeUses(record).map(({ name, use }) =>
    attempt(`volume ${name}`, () => parts.volumes.unmount(name, use)),
  );
  await Promise.all([root, ...volumes]);
}
