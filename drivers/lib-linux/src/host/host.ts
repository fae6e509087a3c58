import { servicePoint } from '@gantry/core/points';
import { kernelHost } from './kernel-host.js';
export interface HostFacts {
  readonly hostname: string;
  /** `6.1.0-18-amd64` */
  readonly kernelRelease: string;
  /** `#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1` */
  readonly kernelVersion: string;
  /** As uname(1) prints it: `x86_64`, `aarch64`. */
  readonly machine: string;
  /** As images name it: `amd64`, `arm64`. */
  readonly architecture: string;
  /** `Debian GNU/Linux 12 (bookworm)`; `Linux` when unknown. */
  readonly operatingSystem: string;
  /** Bytes. */
  readonly totalMemory: number;
  readonly cpus: number;
  /** Differs after each boot. */
  readonly bootId: string;
}

export interface Host {
  facts(): Promise<HostFacts>;
  /** Nanoseconds of all CPUs together since boot, idle time included. */
  systemCpuTime(): Promise<number>;
  /** Seconds since boot. */
  uptime(): Promise<number>;
}

export const Host = servicePoint<Host>('linux.host', { fallback: () => kernelHost });
