/**
 * Maps the neutral names of the specification to the names that Docker clients use. Response headers and JSON fields
 * are added beside the neutral ones, so clients of the neutral dialect are unaffected.
 */
export const dialect = {
  /** Response headers, sent beside the neutral ones. */
  headers: {
    'x-engine-container-path-stat': 'X-Docker-Container-Path-Stat',
    'engine-experimental': 'Docker-Experimental',
    'engine-plugin-name': 'Docker-Plugin-Name',
  },
  /** Media types, sent instead of the neutral ones to clients whose User-Agent is a Docker client's. */
  mediaTypes: {
    'application/vnd.engine.raw-stream': 'application/vnd.docker.raw-stream',
    'application/vnd.engine.multiplexed-stream': 'application/vnd.docker.multiplexed-stream',
  },
  /** Query parameters: Docker's name to the neutral name. */
  query: { dockerfile: 'buildfile' },
  /** Top-level fields of JSON objects in responses, added beside the neutral ones. */
  fields: { EngineRootDir: 'DockerRootDir', EngineVersion: 'DockerVersion' },
  /** Values of such fields, replaced for Docker clients: they expect the default runtime to be called `runc`. */
  values: { DefaultRuntime: { crun: 'runc' } },
  /**
   * Routes whose exceptions from the table of statuses are not for Docker clients: they expect 404 for an absent image, and
   * 409 for a plugin that is disabled or in use.
   */
  plainStatuses: ['/images/get', '/images/*name/get', '/plugins/*name/disable'],
  /** Routes that API 1.24 answers with an empty body, by the JSON that Docker clients read whichever version they speak. */
  emptyBodies: { '/services/:id/update': { Warnings: null } },
} as const;

/** Detects clients that check media types, by their User-Agent. */
export const isDockerClient = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && /^(docker-client|docker-sdk|docker-py|docker-compose|docker\/)/i.test(userAgent);
