import type { ContainerRecord } from './record.js';

export interface ContainerLookup {
  /** By id, name or prefix. @throws EngineError `not-found` ("No such container: X"). */
  get(reference: string): ContainerRecord;
}
