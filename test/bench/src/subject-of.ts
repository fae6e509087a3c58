import { Containers } from './containers.js';
import type { Engine } from './engine.js';
import type { Subject } from './scenario.js';

export const subjectOf = (engine: Engine, image: string): Subject => ({
  engine,
  image,
  containers: new Containers(engine, image),
});
