import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Class, DriverContext } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Host } from '@gantry/lib-linux/host';
import { Launcher, programPath } from '@gantry/lib-linux/launcher';
import { CgroupPlacement } from './cgroups/cgroup-placement.js';
import { choosePlacement, systemdUnavailable } from './cgroups/choose-placement.js';
import { ParentCgroup } from './cgroups/parent-cgroup.js';
import { Scopes } from './cgroups/scopes.js';
import type { RuntimeConfig } from './config.js';
import { DirectoryRemoval } from './directory-removal.js';
import { CgroupProcesses } from './exec/cgroup-processes.js';
import { ExecForms } from './exec/exec-forms.js';
import { StartExec } from './exec/start-exec.js';
import { StartMonitoredExec } from './exec/start-monitored-exec.js';
import { StartPipedExec } from './exec/start-piped-exec.js';
import { Layout, layoutBelow } from './layout.js';
import { MemoryState } from './memory-state.js';
import { MonitorLauncher } from './monitor/monitor-launcher.js';
import { OperationDeadlines } from './operation-deadlines.js';
import { AdoptTasks } from './recovery/adopt-tasks.js';
import { FindTaskState } from './recovery/find-task-state.js';
import { RecoverTask } from './recovery/recover-task.js';
import { RecoverTasks } from './recovery/recover-tasks.js';
import { RemoveEndedExecs } from './recovery/remove-ended-execs.js';
import { RemoveOrphans } from './recovery/remove-orphans.js';
import { RuncRuntime } from './runc-runtime.js';
import { CreateForms } from './runtime/create-forms.js';
import { LazyCatalog, openCatalog } from './runtime/lazy-catalog.js';
import { ProbeAhead } from './runtime/probe-ahead.js';
import { ProbeMemory } from './runtime/probe-memory.js';
import { RuntimeFacts } from './runtime/runtime-facts.js';
import { SealedPrograms } from './runtime/sealed-programs.js';
import { SeccompFilters } from './runtime/seccomp-filters.js';
import { AddTask } from './task/add-task.js';
import { AttachTask } from './task/attach-task.js';
import { CleanUpTask } from './task/clean-up-task.js';
import { CreateTask } from './task/create-task.js';
import { DeleteTask } from './task/delete-task.js';
import { EndTask } from './task/end-task.js';
import { FreezeTask } from './task/freeze-task.js';
import { KillTask } from './task/kill-task.js';
import { LaunchMonitor } from './task/launch-monitor.js';
import { LaunchTask } from './task/launch-task.js';
import { ListProcesses } from './task/list-processes.js';
import { MonitoredIo } from './task/monitored-io.js';
import { OomKills } from './task/oom-kills.js';
import { PlanTask } from './task/plan-task.js';
import { PrepareMonitor } from './task/prepare-monitor.js';
import { ReadStats } from './task/read-stats.js';
import { RemoveBrokenTask } from './task/remove-broken-task.js';
import { RollBackTask } from './task/roll-back-task.js';
import { RotateSpool } from './task/rotate-spool.js';
import { StartTask } from './task/start-task.js';
import { TaskControl } from './task/task-control.js';
import { TaskLifecycle } from './task/task-lifecycle.js';
import { TaskMembers } from './task/task-members.js';
import { TaskObservation } from './task/task-observation.js';
import { TaskRegistry } from './task/task-registry.js';
import { TaskResources } from './task/task-resources.js';
import { TaskWatcher } from './task/task-watcher.js';
import { UpdateTask } from './task/update-task.js';
import { BootId, CgroupMode, ConmonPath } from './tokens.js';

/** Finds the programs and probes them. Throws DriverSkipped when this host is known to be unable to run containers. */
export async function createRuntime(context: DriverContext<RuntimeConfig>): Promise<Class<RuncRuntime>> {
  const { config, container, dirs, lifetime, log } = context;
  const conmon = await findConmon(config.conmon);
  const memory = await ProbeMemory.load(dirs.root);
  container.registerValue(Layout, layoutBelow(dirs.state));
  container.registerValue(ConmonPath, conmon);
  container.registerAsync(BootId, [Host.token], async (host: Host) => (await host.facts()).bootId);
  container.registerAsync(CgroupMode, [Cgroups.token], async (cgroups: Cgroups) => (await cgroups.layout()).mode);
  const withoutSystemd = await systemdUnavailable();
  container.registerAsync(CgroupPlacement, [Cgroups.token], async (cgroups: Cgroups) =>
    choosePlacement(config, await cgroups.layout(), withoutSystemd),
  );
  container.registerAsync(
    LazyCatalog,
    [Cgroups.token, Launcher.token, DirectoryRemoval, BootId, CgroupPlacement],
    async (
      cgroups: Cgroups,
      launcher: Launcher,
      removal: DirectoryRemoval,
      bootId: BootId,
      placement: CgroupPlacement,
    ) => {
      const request = { cgroups, launcher, removal, config, placement, memory, bootId, directory: dirs.state };
      const catalog = await openCatalog(request, log);
      lifetime.add(() => catalog.idle());
      return catalog;
    },
  );
  container.register(
    DirectoryRemoval,
    OperationDeadlines,
    MemoryState,
    ParentCgroup,
    Scopes,
    MonitorLauncher,
    SeccompFilters,
    SealedPrograms,
    CreateForms,
  );
  container.register(ExecForms, StartExec, StartMonitoredExec, StartPipedExec, AttachTask);
  container.register(
    TaskMembers,
    TaskRegistry,
    OomKills,
    TaskWatcher,
    TaskResources,
    CleanUpTask,
    RemoveBrokenTask,
    RollBackTask,
  );
  container.register(
    PlanTask,
    LaunchMonitor,
    LaunchTask,
    CreateTask,
    PrepareMonitor,
    AddTask,
    StartTask,
    KillTask,
    EndTask,
    DeleteTask,
  );
  container.register(RemoveOrphans, FindTaskState, RemoveEndedExecs, RecoverTask, RecoverTasks);
  container.register(FreezeTask, UpdateTask, ListProcesses, ReadStats, RotateSpool);
  container.register(RuntimeFacts, TaskLifecycle, TaskControl, TaskObservation, MonitoredIo, CgroupProcesses);
  container.registerHooks(AdoptTasks, ProbeAhead);
  return RuncRuntime;
}

async function findConmon(name: string): Promise<string> {
  try {
    const path = await programPath(name);
    await access(path, constants.X_OK);
    return path;
  } catch (cause) {
    throw new DriverSkipped(`conmon is needed to monitor containers: ${messageOf(cause)}`, { cause });
  }
}
