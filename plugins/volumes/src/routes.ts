import { type Filters, queryOf, type Router, readOptionalJson, sendJson, textFilter } from '@gantry/core/http';
import type { Volume } from './service.js';
import type { Volumes } from './volumes.js';
import { CreateBody, toVolume, toVolumeRequest } from './wire.js';

const listFilters = ['name', 'dangling', 'driver', 'label'] as const;

/** Spec: Volumes. */
export function volumeRoutes(router: Router, volumes: Volumes): void {
  router.get('/volumes', async (ctx) => {
    const wanted = matcher(queryOf(ctx).filters(listFilters), volumes);
    const { volumes: all, warnings } = await volumes.list();
    sendJson(ctx, { Volumes: all.filter(wanted).map(toVolume), Warnings: warnings.length > 0 ? warnings : null });
  });

  router.post('/volumes/create', async (ctx) => {
    const body = (await readOptionalJson(ctx, CreateBody)) ?? {};
    sendJson(ctx, toVolume(await volumes.ensure(toVolumeRequest(body))), 201);
  });

  router.get('/volumes/*name', async (ctx) => {
    sendJson(ctx, toVolume(await volumes.get(ctx.params.name)));
  });

  router.delete('/volumes/*name', async (ctx) => {
    await volumes.remove(ctx.params.name);
    ctx.status = 204;
  });
}

function matcher(filters: Filters, volumes: Volumes): (volume: Volume) => boolean {
  const dangling = filters.boolean('dangling');
  const names = filters.get('name').map((pattern) => textFilter('name', pattern));
  return ({ driver, labels, name }) =>
    (names.length === 0 || names.some((matches) => matches(name))) &&
    filters.some('driver', (part) => driver.includes(part)) &&
    filters.matchesLabels(labels) &&
    (dangling === undefined || dangling === (volumes.usersOf(name).length === 0));
}
