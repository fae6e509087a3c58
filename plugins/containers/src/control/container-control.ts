import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { CreateBody, Mount } from '../schema.js';

/**
 * The lifecycle of containers for areas that keep them running by rules of their own, such as the agent of a cluster. The
 * verbs are those of the routes, with the same events and errors.
 */
export interface ContainerControl {
  /**
   * Spec: POST /containers/create, with the defaults of the newest version. Resolves to the id; the container stays until
   * it is removed. @param files mounts beside those of the body, which clients are not shown.
   */
  create(body: CreateBody, name: string, files: readonly Mount[]): Promise<string>;
  start(id: string): Promise<void>;
  /** Resolves when it has exited; one that does not run is left alone. @param options.seconds until it is killed. */
  stop(id: string, options: { readonly seconds: number }): Promise<void>;
  /** Kills it first when it runs; with its anonymous volumes. An absent one is ignored. */
  remove(id: string): Promise<void>;
}

export const ContainerControl: ServicePoint<ContainerControl> = servicePoint<ContainerControl>('container-control');
