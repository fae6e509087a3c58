import { Clock, inject, injectable } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import type { ContainerRecord } from '../record.js';
import { linkNames } from '../sandbox/link-names.js';
import { ContainerStore } from '../store/container-store.js';
import { filterContainers } from '../wire/filter-containers.js';
import type { ListQuery } from '../wire/list-query.js';
import { toSummary } from '../wire/to-summary.js';
import { ContainerFacts } from './container-facts.js';
import { ContainerSizes } from './container-sizes.js';
import { imageReplacement } from './image-replacement.js';

/** Spec: GET /containers/json. */
@injectable()
export class ListContainers {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerFacts) private readonly facts: ContainerFacts,
    @inject(ContainerSizes) private readonly sizes: ContainerSizes,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'get' | 'descendants'>,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** As JSON text. */
  async list(query: ListQuery): Promise<string> {
    const all = Array.from(this.store.all(), ({ record }) => record);
    const chosen = filterContainers(all, query, {
      containers: this.store.lookup,
      descendants: (reference) => this.images.descendants(reference),
      live: (record) => this.facts.listed(record),
    });
    const { size, sizeAge = 0 } = query;
    const measure = (record: ContainerRecord) => this.sizes.measure(record, { maxAge: sizeAge });
    const sizes = size ? await Promise.all(chosen.map(measure)) : [];
    const now = new Date(Number(this.clock.now() / 1_000_000n));
    const names = linkNames(all);
    const isReplaced = imageReplacement(this.images);
    const items = chosen.map((record, index) => {
      const facts = {
        ...this.facts.listed(record),
        imageMoved: isReplaced(record),
        linkNames: names.get(record.id) ?? [],
        ...(sizes[index] !== undefined && { sizes: sizes[index] }),
      };
      return toSummary(record, facts, now);
    });
    return `[${items.join(',')}]\n`;
  }
}
