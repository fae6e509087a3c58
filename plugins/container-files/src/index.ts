import { ContainerRoots, ContainerService } from '@gantry/containers/service';
import { ArchiveDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ContainerTrees } from './container-trees.js';
import { ExportContainer } from './export-container.js';
import { ListChanges } from './list-changes.js';
import { ReadArchive } from './read-archive.js';
import { ArchiveRoutes } from './routes/archive-routes.js';
import { FileSystemRoutes } from './routes/file-system-routes.js';
import { StatPath } from './stat-path.js';
import { WriteArchive } from './write-archive.js';

export default definePlugin({
  id: 'container-files',
  requires: [EngineApi, ArchiveDrivers, ContainerService, ContainerRoots],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ContainerTrees, StatPath, ReadArchive, WriteArchive, ExportContainer, ListChanges);
    container.registerHooks(ArchiveRoutes);
    return FileSystemRoutes;
  },
});
