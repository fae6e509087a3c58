/**
 * The dialect of Docker clients, in one table: what the specification calls by a neutral word, and the word those
 * clients know. Clients that speak the neutral dialect never notice, for names are added beside their own wherever
 * both fit.
 */
export const dialect = {
  /** Response headers, sent beside the neutral ones. */
  headers: { 'x-engine-container-path-stat': 'X-Docker-Container-Path-Stat' },
  /** Media types, sent instead of the neutral ones to clients that say they are Docker clients. */
  mediaTypes: { 'application/vnd.engine.raw-stream': 'application/vnd.docker.raw-stream' },
  /** Query parameters, by the name these clients send. */
  query: { dockerfile: 'buildfile' },
  /** Fields of JSON objects at the top level of an answer, added beside the neutral ones. */
  fields: { EngineRootDir: 'DockerRootDir', EngineVersion: 'DockerVersion' },
  /** Values of such fields, for clients that say they are Docker clients: to them the usual runtime is `runc`. */
  values: { DefaultRuntime: { crun: 'runc' } },
} as const;

/** User agents of clients that look at media types. */
export const isDockerClient = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && /^(docker-client|docker-sdk|docker-py|docker-compose|docker\/)/i.test(userAgent);
