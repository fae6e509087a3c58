import type { PackageContainer } from '@gantry/core/driver';
import { CdiDevices } from './cdi/cdi-devices.js';
import { CreateConfigurator } from './configuration/create-configurator.js';
import { OfferedRuntimes } from './configuration/offered-runtimes.js';
import { ContainerDirectories } from './container-directories.js';
import { ContainerDrivers } from './container-drivers.js';
import { ContainerEvents } from './container-events.js';
import { ContainerRegistrations } from './container-registrations.js';
import { ContainerShutdown } from './container-shutdown.js';
import { ContainerUsage } from './container-usage.js';
import { ContainersService } from './containers-service.js';
import { ContainerControlService } from './control/container-control-service.js';
import { ContainerFacts } from './inspection/container-facts.js';
import { ContainerSizes } from './inspection/container-sizes.js';
import { FactSources } from './inspection/fact-sources.js';
import { InspectContainer } from './inspection/inspect-container.js';
import { ListContainers } from './inspection/list-containers.js';
import { MeasureAtLeisure } from './inspection/measure-at-leisure.js';
import { TopContainer } from './inspection/top-container.js';
import { ContainerBuilder } from './lifecycle/container-builder.js';
import { ContainerLayer } from './lifecycle/container-layer.js';
import { ContainerVolumes } from './lifecycle/container-volumes.js';
import { CreateAnnouncement } from './lifecycle/create-announcement.js';
import { CreateContainer } from './lifecycle/create-container.js';
import { CreateRollback } from './lifecycle/create-rollback.js';
import { ImageMounts } from './lifecycle/image-mounts.js';
import { KillContainer } from './lifecycle/kill-container.js';
import { LabelChoice } from './lifecycle/label-choice.js';
import { NewRecords } from './lifecycle/new-records.js';
import { PauseContainer } from './lifecycle/pause-container.js';
import { RemoveLink } from './lifecycle/remove-link.js';
import { RenameContainer } from './lifecycle/rename-container.js';
import { ResizeTerminal } from './lifecycle/resize-terminal.js';
import { RestartContainer } from './lifecycle/restart-container.js';
import { StartContainer } from './lifecycle/start-container.js';
import { StopContainer } from './lifecycle/stop-container.js';
import { UnpauseContainer } from './lifecycle/unpause-container.js';
import { UpdateContainer } from './lifecycle/update-container.js';
import { WaitForContainer } from './lifecycle/wait-for-container.js';
import { LogSweep } from './logging/log-sweep.js';
import { LoggedRecords } from './logging/logged-records.js';
import { MountLabels } from './mounts/mount-labels.js';
import { MountPins } from './mounts/mount-pins.js';
import { RunMounts } from './mounts/run-mounts.js';
import { VolumeInitializer } from './mounts/volume-initializer.js';
import { VolumeMounts } from './mounts/volume-mounts.js';
import { ConnectContainer } from './networking/connect-container.js';
import { DisconnectContainer } from './networking/disconnect-container.js';
import { UnrecordedEndpoints } from './networking/unrecorded-endpoints.js';
import { SpecBuilder } from './oci/spec-builder.js';
import { ContainerProcessesService } from './processes/container-processes-service.js';
import { BootRestarts } from './recovery/boot-restarts.js';
import { ContainerRecovery } from './recovery/container-recovery.js';
import { ContainerStartup } from './recovery/container-startup.js';
import { InterruptedOperations } from './recovery/interrupted-operations.js';
import { MissedExits } from './recovery/missed-exits.js';
import { OrphanFinder } from './recovery/orphan-finder.js';
import { OrphanRemoval } from './recovery/orphan-removal.js';
import { OrphanedFiles } from './recovery/orphaned-files.js';
import { OrphanedTasks } from './recovery/orphaned-tasks.js';
import { ResourceRecovery } from './recovery/resource-recovery.js';
import { RunAdoption } from './recovery/run-adoption.js';
import { RunReconciliation } from './recovery/run-reconciliation.js';
import { TaskInventory } from './recovery/task-inventory.js';
import { UnpublishedEvents } from './recovery/unpublished-events.js';
import { AnonymousVolumes } from './removal/anonymous-volumes.js';
import { AutoRemoval } from './removal/auto-removal.js';
import { BackgroundDeletions } from './removal/background-deletions.js';
import { ContainerData } from './removal/container-data.js';
import { ContainerRemoval } from './removal/container-removal.js';
import { PruneContainers } from './removal/prune-containers.js';
import { RemoveContainer } from './removal/remove-container.js';
import { RemovedExits } from './removal/removed-exits.js';
import { UnusedLayers } from './removal/unused-layers.js';
import { PendingRestarts } from './restarts/pending-restarts.js';
import { RestartBackOff } from './restarts/restart-back-off.js';
import { ContainerReview } from './review/container-review.js';
import { ContainerRootsService } from './roots/container-roots-service.js';
import { RootMounts } from './roots/root-mounts.js';
import { ConnectionRoutes } from './routes/connection-routes.js';
import { InspectionRoutes } from './routes/inspection-routes.js';
import { LifecycleRoutes } from './routes/lifecycle-routes.js';
import { ManagementRoutes } from './routes/management-routes.js';
import { RemovalRoutes } from './routes/removal-routes.js';
import { StreamRoutes } from './routes/stream-routes.js';
import { TerminationRoutes } from './routes/termination-routes.js';
import { ContainerLinks } from './sandbox/container-links.js';
import { ContainerSandboxes } from './sandbox/container-sandboxes.js';
import { HostsFiles } from './sandbox/hosts-files.js';
import { ResolverFiles } from './sandbox/resolver-files.js';
import { Confinement } from './security/confinement.js';
import { ContainerSnapshots } from './steps/container-snapshots.js';
import { ContainerStepsService } from './steps/container-steps-service.js';
import { StepOutputs } from './steps/step-outputs.js';
import { TemporaryContainers } from './steps/temporary-containers.js';
import { ContainerStore } from './store/container-store.js';
import { RetriedChanges } from './store/retried-changes.js';
import { StoredSizes } from './store/stored-sizes.js';
import { AttachToContainer } from './streams/attach-to-container.js';
import { Attachments } from './streams/attachments.js';
import { ContainerStarter } from './supervision/container-starter.js';
import { ExitHandler } from './supervision/exit-handler.js';
import { ExitListeners } from './supervision/exit-listeners.js';
import { ExitRecorder } from './supervision/exit-recorder.js';
import { FailedStarts } from './supervision/failed-starts.js';
import { RestartScheduler } from './supervision/restart-scheduler.js';
import { RuntimeWatcher } from './supervision/runtime-watcher.js';
import { StartConfirmation } from './supervision/start-confirmation.js';
import { BundlePreparation } from './tasks/bundle-preparation.js';
import { RunResources } from './tasks/run-resources.js';
import { StopRequests } from './tasks/stop-requests.js';
import { TaskFactory } from './tasks/task-factory.js';
import { TaskSignals } from './tasks/task-signals.js';
import { Termination } from './tasks/termination.js';
import { UsageRegistrations } from './usage-registrations.js';

/** Registers the classes of this package, each constructed once; the kernel starts those of the routes. */
export function registerContainers(container: PackageContainer): void {
  container.register(
    UsageRegistrations,
    TemporaryContainers,
    StepOutputs,
    StartConfirmation,
    RunMounts,
    CdiDevices,
    MountLabels,
    MountPins,
    ImageMounts,
    ContainerSizes,
    StoredSizes,
    UnusedLayers,
    OrphanedFiles,
    LogSweep,
    RunReconciliation,
    AnonymousVolumes,
    AttachToContainer,
    Attachments,
    AutoRemoval,
    BackgroundDeletions,
    BootRestarts,
    BundlePreparation,
    ConnectContainer,
    ContainerBuilder,
    ContainerControlService,
    ContainerData,
    ContainerDirectories,
    ContainerDrivers,
    ContainerEvents,
    ContainerFacts,
    ContainerLayer,
    ContainerLinks,
    ContainerProcessesService,
    ContainerRecovery,
    ContainerRegistrations,
    ContainerRemoval,
    ContainerReview,
    ContainerRootsService,
    ContainerSandboxes,
    ContainerShutdown,
    ContainerSnapshots,
    ContainerStarter,
    ContainerStartup,
    ContainerStepsService,
    ContainerStore,
    ContainerUsage,
    ContainerVolumes,
    ContainersService,
    CreateConfigurator,
    CreateAnnouncement,
    CreateContainer,
    CreateRollback,
    DisconnectContainer,
    ExitHandler,
    ExitListeners,
    ExitRecorder,
    FactSources,
    FailedStarts,
    HostsFiles,
    InspectContainer,
    InterruptedOperations,
    KillContainer,
    ListContainers,
    LoggedRecords,
    MeasureAtLeisure,
    MissedExits,
    OrphanFinder,
    OrphanRemoval,
    OrphanedTasks,
    PauseContainer,
    PendingRestarts,
    PruneContainers,
    RemoveContainer,
    RemoveLink,
    RemovedExits,
    RenameContainer,
    ResizeTerminal,
    ResolverFiles,
    ResourceRecovery,
    RestartBackOff,
    RestartContainer,
    RestartScheduler,
    RetriedChanges,
    RootMounts,
    RunAdoption,
    RunResources,
    OfferedRuntimes,
    RuntimeWatcher,
    Confinement,
    LabelChoice,
    NewRecords,
    SpecBuilder,
    StartContainer,
    StopContainer,
    StopRequests,
    TaskFactory,
    TaskInventory,
    TaskSignals,
    Termination,
    TopContainer,
    UnpauseContainer,
    UnpublishedEvents,
    UnrecordedEndpoints,
    UpdateContainer,
    VolumeInitializer,
    VolumeMounts,
    WaitForContainer,
  );
  container.registerHooks(
    InspectionRoutes,
    LifecycleRoutes,
    TerminationRoutes,
    StreamRoutes,
    ManagementRoutes,
    RemovalRoutes,
    ConnectionRoutes,
  );
}
