import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { RuntimeDriver } from '@gantry/core/contracts';
import type { DriverContext, DriverLifecycle } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { kernelHost } from '@gantry/lib-linux/host';
import { programPath } from '@gantry/lib-linux/launcher';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import type { RuntimeConfig } from './config.js';
import { ExecForms } from './exec/exec-form.js';
import { layoutBelow } from './layout.js';
import { MemoryState } from './memory-state.js';
import { kernelPorts } from './ports.js';
import { RuncRuntime } from './runc-runtime.js';
import { openCatalog } from './runtime/catalog-in-time.js';
import { ProbeMemory } from './runtime/probe-memory.js';
import { SeccompFilters } from './runtime/seccomp-filters.js';

/** Finds the programs and tries them. Throws DriverSkipped when this host is known to be unable to run containers. */
export async function openRuntime(context: DriverContext<RuntimeConfig>): Promise<RuntimeDriver & DriverLifecycle> {
  const { config, dirs, lifetime, log } = context;
  const ports = kernelPorts();
  const conmon = await findConmon(config.conmon);
  const { bootId } = await kernelHost.facts();
  const probes = await ProbeMemory.load(dirs.root);
  const catalog = await openCatalog(ports, { config, memory: probes, bootId, directory: dirs.state }, log);
  lifetime.add(() => catalog.over());
  const { mode } = await ports.cgroups.layout();
  const layout = layoutBelow(dirs.state);
  const [execForms, filters] = [new ExecForms(), new SeccompFilters()];
  const within = [layout.tasks, layout.runtimeRoot];
  const memory = new MemoryState({ directory: layout.memory, within, mounts: kernelMounts, log });
  const runtime = new RuncRuntime(
    { ports, config, layout, memory, catalog, execForms, filters, conmon, bootId, log },
    mode,
  );
  lifetime.add(() => runtime.release());
  return runtime;
}

async function findConmon(wanted: string): Promise<string> {
  try {
    const path = await programPath(wanted);
    await access(path, constants.X_OK);
    return path;
  } catch (cause) {
    throw new DriverSkipped(`conmon is needed to watch over containers: ${messageOf(cause)}`, { cause });
  }
}
