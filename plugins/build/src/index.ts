import { ContainerSteps } from '@gantry/containers/service';
import { ArchiveDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Type } from '@sinclair/typebox';
import { Builder } from './builder.js';
import { FirstImages } from './cache/first-images.js';
import { StepCache } from './cache/step-cache.js';
import { ClassicBuild } from './classic-build.js';
import { ContextOpener } from './context/context-opener.js';
import { ImageBuild } from './image-build.js';
import { BaseImages } from './images/base-images.js';
import { ImageRoots } from './images/image-roots.js';
import { SourceTrees } from './images/source-trees.js';
import { CacheMounts } from './mounts/cache-mounts.js';
import { StepMounts } from './mounts/step-mounts.js';
import { BuildRoutes } from './routes.js';
import { BuildService } from './service.js';
import { SourceImages } from './sources/source-images.js';
import { ConfigurationSteps } from './steps/configuration-steps.js';
import { CopyStep } from './steps/copy-step.js';
import { FilePlacer } from './steps/file-placer.js';
import { RunStep } from './steps/run-step.js';
import { SourceFinder } from './steps/source-finder.js';
import { StageRunner } from './steps/stage-runner.js';
import { StepImages } from './steps/step-images.js';
import { Steps } from './steps/steps.js';
import { VolumeStep } from './steps/volume-step.js';
import { WorkingDirectoryStep } from './steps/working-directory-step.js';

export default definePlugin({
  id: 'build',
  provides: [BuildService],
  requires: [
    EngineApi,
    ArchiveDrivers,
    StateDrivers,
    StorageDrivers,
    ContainerSteps,
    ImageService,
    ImageExchange,
    Launcher,
  ],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(FirstImages, StepCache, StepImages, BaseImages, ImageRoots, SourceTrees);
    container.register(SourceImages, CacheMounts, StepMounts);
    container.register(ContextOpener, SourceFinder, FilePlacer);
    container.register(RunStep, CopyStep, VolumeStep, WorkingDirectoryStep, ConfigurationSteps, Steps);
    container.register(StageRunner, ImageBuild, ClassicBuild, Builder);
    container.provide(BuildService, Builder);
    return BuildRoutes;
  },
});
