import type { EngineSettings } from '@gantry/core/driver';

/** What the configuration says that the host is looked at for. */
export interface HostSettings {
  readonly dataRoot: string;
  readonly execRoot: string;
  readonly cgroupDriver: 'cgroupfs' | 'systemd' | undefined;
  /** The engine's own, of the packet filter. */
  readonly table: string;
  readonly setsForwarding: boolean;
  /** Paths or names of the runtimes and of conmon. */
  readonly programs: Readonly<Record<string, string>>;
}

interface RuntimeSection {
  readonly cgroupDriver?: 'cgroupfs' | 'systemd';
  readonly conmon?: string;
  readonly runtimes?: Readonly<Record<string, { readonly path: string }>>;
}

interface BridgeSection {
  readonly table?: string;
  readonly ipForward?: boolean;
}

/** Takes them from the sections of the packages that have them; where one is not configured its usual values hold. */
export function hostSettings({ engine, packages }: ReturnType<EngineSettings['read']>): HostSettings {
  const runtime = (packages['runtime/runc'] ?? {}) as RuntimeSection;
  const bridge = (packages['network/bridge'] ?? {}) as BridgeSection;
  const runtimes = Object.entries(runtime.runtimes ?? { crun: { path: 'crun' }, runc: { path: 'runc' } });
  return {
    dataRoot: String(engine.dataRoot),
    execRoot: String(engine.execRoot),
    cgroupDriver: runtime.cgroupDriver,
    table: bridge.table ?? 'gantry',
    setsForwarding: bridge.ipForward ?? true,
    programs: {
      conmon: runtime.conmon ?? 'conmon',
      ...Object.fromEntries(runtimes.map(([name, { path }]) => [name, path])),
    },
  };
}
