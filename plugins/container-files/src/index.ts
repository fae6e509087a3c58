import { Archive } from '@gantry/archive';
import { ContainerRoots, ContainerService } from '@gantry/containers/service';
import { Lifetime } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ContainerTrees } from './container-trees.js';
import { ExportContainer } from './export-container.js';
import { ListChanges } from './list-changes.js';
import { ReadArchive } from './read-archive.js';
import { ContainerFileRoutes } from './routes.js';
import { StatPath } from './stat-path.js';
import { WriteArchive } from './write-archive.js';

export default definePlugin({
  id: 'container-files',
  requires: [EngineApi, ContainerService, ContainerRoots],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.registerFactory(Archive, [Lifetime], (lifetime: Lifetime) => {
      const archive = new Archive();
      lifetime.add(() => archive.close());
      return archive;
    });
    container.register(ContainerTrees, StatPath, ReadArchive, WriteArchive, ExportContainer, ListChanges);
    return ContainerFileRoutes;
  },
});
