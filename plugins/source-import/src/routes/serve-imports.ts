import { hasWorkflows } from '@gantry/git-hosting';
import { readWebPage } from '@gantry/hosted-api/service';
import { refuseRemoved } from '../removed.js';
import type { DestinationRule } from '../runs/destinations.js';
import type { Switches } from '../store/switches.js';
import { authorRoutes } from './author-routes.js';
import { gitRoutes } from './git-routes.js';
import { importRoutes, largeFileRoutes } from './import-routes.js';
import { lfsRoutes } from './lfs-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { repositoryRoutes } from './repository-routes.js';
import type { RouteParts } from './route-parts.js';

export interface ServedParts extends RouteParts {
  readonly switches: Switches;
  readonly destinations: () => DestinationRule;
}

const owner = 'source-import';
const scopes = ['repo'] as const;

/** Puts everything clients, git and the operator may ask on the surface, and the page. @returns take it off again. */
export async function serveImports(parts: ServedParts): Promise<readonly (() => void)[]> {
  const { api, config, directories, destinations } = parts;
  const precondition = refuseRemoved(() => config().enabled);
  const start = {
    destinations,
    hasWorkflows: async (repositoryId: number) => hasWorkflows(await directories.madeRepository(repositoryId)),
  };
  const page = await readWebPage(new URL('../../web/', import.meta.url), {
    title: 'Imports',
    name: 'imports',
    modules: ['view.js'],
  });
  return [
    api.routes(owner, { scopes, precondition }, (router) => {
      importRoutes(router, parts, start);
      authorRoutes(router, parts);
      largeFileRoutes(router, parts);
    }),
    api.routes(owner, { scopes }, (router) => repositoryRoutes(router, parts)),
    api.routes(owner, { scopes, basic: true }, (router) => {
      gitRoutes(router, parts);
      lfsRoutes(router, parts);
    }),
    api.operatorRoutes(owner, (router) => operatorRoutes(router, parts)),
    api.addPage(owner, page),
  ];
}
