import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { parseLink } from '../sandbox/parse-link.js';
import { ContainerStore } from '../store/container-store.js';

/** Spec: DELETE /containers/(name)/(alias)?link=1. */
@injectable()
export class RemoveLink {
  constructor(@inject(ContainerStore) private readonly store: ContainerStore) {}

  /** `path` is `name/alias`. The containers stay. */
  removeLink(path: string): Promise<void> {
    const cut = path.lastIndexOf('/');
    const alias = path.slice(cut + 1);
    const container = this.store.get(path.slice(0, Math.max(cut, 0)));
    return container.mutex.run(async () => {
      const { Links = [] } = container.record.hostConfig;
      const kept = Links.filter((link) => parseLink(link).alias !== alias);
      if (kept.length === Links.length) throw notFound(`Could not get parent or link: ${path}`);
      await container.change((record) => ({ ...record, hostConfig: { ...record.hostConfig, Links: kept } }));
    });
  }
}
