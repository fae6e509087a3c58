import { notFound } from '@gantry/core/errors';
import type { Parts } from '../parts.js';
import { parseLink } from '../sandbox/links.js';

/** Spec: DELETE /containers/(name)/(alias)?link=1. The containers stay. */
export function removeLink(parts: Parts, path: string): Promise<void> {
  const cut = path.lastIndexOf('/');
  const alias = path.slice(cut + 1);
  const container = parts.store.get(path.slice(0, Math.max(cut, 0)));
  return container.queue.run(async () => {
    const { Links = [] } = container.record.hostConfig;
    const left = Links.filter((link) => parseLink(link).alias !== alias);
    if (left.length === Links.length) throw notFound(`Could not get parent or link: ${path}`);
    await container.change((record) => ({ ...record, hostConfig: { ...record.hostConfig, Links: left } }));
  });
}
