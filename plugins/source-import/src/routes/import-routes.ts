import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter, validationFailed } from '@gantry/hosted-api/service';
import type { DestinationRule } from '../runs/destinations.js';
import { largeFileJson } from '../wire/import-json.js';
import { readChanges, readStart } from './import-request.js';
import { importOf, importTarget, type RouteParts, shownImport } from './route-parts.js';

export interface StartParts {
  readonly destinations: () => DestinationRule;
  /** Tells whether workflows would run on what is imported. */
  readonly hasWorkflows: (repositoryId: number) => Promise<boolean>;
}

const path = '/repos/:owner/:repo/import';
const resource = 'Import';

/** Spec: Source import. */
export function importRoutes(router: HostedRouter, parts: RouteParts, start: StartParts): void {
  const { imports, store } = parts;
  router.get(path, (ctx, { account }) => {
    const { repository, record } = importOf(ctx, parts, account);
    sendJson(ctx, shownImport(ctx, parts, repository, record));
  });
  router.put(path, async (ctx, { account }) => {
    const repository = importTarget(ctx, parts, account);
    const body = await bodyParameters(ctx, resource);
    const { allowLocalFiles } = parts.config();
    const asked = readStart(body, { allowLocalFiles, destinations: start.destinations() });
    if (repository.workflows || (await start.hasWorkflows(repository.id))) {
      const message = `${repository.owner}/${repository.name} has workflows enabled: nothing is imported into it`;
      throw validationFailed({ resource: 'Repository', field: 'workflows', code: 'unprocessable', message });
    }
    const baseUrl = parts.api.baseUrl(ctx);
    const record = await imports.start(repository, { ...asked, startedBy: account.id, baseUrl });
    ctx.res.setHeader('Location', `${baseUrl}/repos/${repository.owner}/${repository.name}/import`);
    sendJson(ctx, shownImport(ctx, parts, repository, store.withId(record.id) ?? record), 201);
  });
  router.patch(path, async (ctx, { account }) => {
    const { repository, record } = importOf(ctx, parts, account);
    const changes = readChanges(await bodyParameters(ctx, resource), record);
    const changed = await imports.restart(record, changes);
    if (changed === undefined) throw notFound('no import');
    sendJson(ctx, shownImport(ctx, parts, repository, changed));
  });
  router.delete(path, async (ctx, { account }) => {
    const { record } = importOf(ctx, parts, account);
    await imports.cancel(record);
    ctx.status = 204;
  });
}

/** Spec: large files of an import. */
export function largeFileRoutes(router: HostedRouter, parts: RouteParts): void {
  const { imports, store } = parts;
  router.get(`${path}/large_files`, (ctx, { account }) => {
    const { record } = importOf(ctx, parts, account);
    sendJson(ctx, store.largeFiles(record.id).map(largeFileJson));
  });
  router.patch(`${path}/lfs`, async (ctx, { account }) => {
    const { repository, record } = importOf(ctx, parts, account);
    const body = (await bodyParameters(ctx, resource)).only('use_lfs');
    const useLfs = body.string('use_lfs');
    if (useLfs === undefined) throw body.missing('use_lfs');
    if (useLfs !== 'opt_in' && useLfs !== 'opt_out') throw body.invalid('use_lfs', 'opt_in or opt_out');
    const changed = await imports.chooseLfs(record, useLfs);
    if (changed === undefined) throw notFound('no import');
    sendJson(ctx, shownImport(ctx, parts, repository, changed));
  });
}
