import { randomInt } from 'node:crypto';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { SELinux } from '@gantry/lib-linux/selinux';
import { HostFacts } from '../host/host-facts.js';
import type { SecurityLabels } from '../record.js';
import type { HostConfig } from '../schema.js';
import { labelsFrom, labelWishOf, reservedCategories, unconfinedLabels } from '../security/security-labels.js';
import { ContainerStore } from '../store/container-store.js';

/** Categories of the policies that distributions have. */
const categoryCount = 1024;

/** Chooses the contexts of SELinux for new containers, each with two categories that no other has. */
@injectable()
export class LabelChoice {
  /** Categories by the container they were chosen for, until the store has it. */
  readonly #chosen = new Map<string, string>();

  constructor(
    @inject(HostFacts) private readonly host: Pick<HostFacts, 'selinux'>,
    @inject(SELinux.token) private readonly selinux: Pick<SELinux, 'isValid'>,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'all' | 'has' | 'get'>,
  ) {}

  /** Undefined where SELinux is off. Rejects `invalid-argument` for a context that the policy does not have. */
  async choose(id: string, hostConfig: HostConfig): Promise<SecurityLabels | undefined> {
    const contexts = this.host.selinux;
    if (contexts === undefined) return undefined;
    const { SecurityOpt: options = [], Privileged: privileged, PidMode: pid, IpcMode: ipc } = hostConfig;
    const wish = labelWishOf(options);
    if (wish?.disable === true) return unconfinedLabels(contexts);
    if (wish === undefined) {
      if (privileged === true || pid === 'host' || ipc === 'host') return unconfinedLabels(contexts);
      const joined = this.#joined(pid, ipc);
      if (joined !== undefined) return joined;
    }
    const parts = wish?.parts ?? {};
    const labels = labelsFrom(contexts, parts, parts.level ?? this.#freeCategories(id));
    for (const label of Object.values(labels)) {
      if (!(await this.selinux.isValid(label))) {
        throw invalidArgument(`SecurityOpt: ${JSON.stringify(options)}: the policy of this host has no "${label}"`);
      }
    }
    return labels;
  }

  /** Processes that share a namespace must be allowed to reach each other. */
  #joined(...modes: readonly (string | undefined)[]): SecurityLabels | undefined {
    const found = modes.flatMap((mode) => {
      const reference = /^container:(.+)$/.exec(mode ?? '')?.[1];
      return reference === undefined ? [] : (this.store.get(reference).record.labels ?? []);
    });
    const [first, second] = found;
    if (second !== undefined && second.process !== first?.process) {
      throw invalidArgument('PidMode and IpcMode: the containers have different SELinux labels');
    }
    return first;
  }

  #freeCategories(id: string): string {
    for (const container of this.#chosen.keys()) if (this.store.has(container)) this.#chosen.delete(container);
    const taken = new Set([reservedCategories, ...this.#chosen.values()]);
    for (const { record } of this.store.all()) {
      const categories = record.labels?.mount.split(':').at(-1);
      if (categories !== undefined) taken.add(categories);
    }
    if (taken.size >= (categoryCount * (categoryCount - 1)) / 2) throw unavailable('every SELinux category is in use');
    for (;;) {
      const [one, other] = [randomInt(categoryCount), randomInt(categoryCount)];
      const categories = `c${Math.min(one, other)},c${Math.max(one, other)}`;
      if (one === other || taken.has(categories)) continue;
      this.#chosen.set(id, categories);
      return categories;
    }
  }
}
