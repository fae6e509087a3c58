import { ContainerSteps } from '@gantry/containers/service';
import { ArchiveDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService, UnneededImages } from '@gantry/images/service';
import { Host } from '@gantry/lib-linux/host';
import { Launcher } from '@gantry/lib-linux/launcher';
import { BuildCounts } from './build-counts.js';
import { Builder } from './builder.js';
import { CachedSteps } from './cache/cached-steps.js';
import { FirstImages } from './cache/first-images.js';
import { StepCache } from './cache/step-cache.js';
import { ClassicBuild } from './classic-build.js';
import { configSchema } from './config.js';
import { BackgroundReleases } from './context/background-releases.js';
import { ContextOpener } from './context/context-opener.js';
import { KeptContexts } from './context/kept-contexts.js';
import { BuildCaches } from './gc/build-caches.js';
import { CacheOwners } from './gc/cache-owners.js';
import { PruneCaches } from './gc/prune-caches.js';
import { ImageBuild } from './image-build.js';
import { ImageRoots } from './images/image-roots.js';
import { SourceTrees } from './images/source-trees.js';
import { CacheMounts } from './mounts/cache-mounts.js';
import { StepFiles } from './mounts/step-files.js';
import { StepMounts } from './mounts/step-mounts.js';
import { BuildRoutes } from './routes.js';
import { BuildService } from './service.js';
import { RegisteredSessionBuilds, SessionBuilds } from './session-builds.js';
import { BaseImages } from './sources/base-images.js';
import { ContextImages } from './sources/context-images.js';
import { SourceImages } from './sources/source-images.js';
import { StaleFiles } from './stale-files.js';
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
  provides: [BuildService, SessionBuilds],
  requires: [
    EngineApi,
    ArchiveDrivers,
    StateDrivers,
    StorageDrivers,
    ContainerSteps,
    ImageService,
    ImageExchange,
    UnneededImages,
    Host,
    Launcher,
  ],
  configSchema,
  setup({ container }) {
    container.register(FirstImages, CachedSteps, StepCache, StepImages, BaseImages, ImageRoots, SourceTrees);
    container.register(SourceImages, ContextImages, CacheMounts, StepFiles, StepMounts);
    container.register(
      KeptContexts,
      CacheOwners,
      BuildCaches,
      PruneCaches,
      ContextOpener,
      BackgroundReleases,
      SourceFinder,
      FilePlacer,
    );
    container.register(RunStep, CopyStep, VolumeStep, WorkingDirectoryStep, ConfigurationSteps, Steps);
    container.registerHooks(BuildCounts);
    container.register(StageRunner, ImageBuild, ClassicBuild, Builder);
    container.register(StaleFiles, RegisteredSessionBuilds);
    container.provide(BuildService, Builder);
    container.provide(SessionBuilds, RegisteredSessionBuilds);
    return BuildRoutes;
  },
});
