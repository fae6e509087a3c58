import type { Endpoint } from '@gantry/networks/service';
import type { Health } from '../health.js';

/** What a list shows of a container beyond its record. All of it comes from memory. */
export interface ListedFacts {
  readonly endpoints: readonly Endpoint[];
  readonly health?: Health;
  /** The names that links of other containers give it. */
  readonly linkNames?: readonly string[];
  /** The name it was created from stands for another image by now, or for none. */
  readonly imageMoved?: boolean;
  /** With `size`. Bytes. */
  readonly sizes?: { readonly writable: number; readonly rootfs: number };
}

/** What is known of a container beyond its record. All of it comes from memory. */
export interface LiveFacts extends ListedFacts {
  readonly execIds: readonly string[];
  readonly logPath: string;
  /** The container's own directory, where hosts, hostname and resolv.conf are. */
  readonly directory: string;
  /** Host path of the sandbox, while it runs. */
  readonly sandboxPath?: string;
  readonly appArmorProfile?: string;
  /** Of the container's own view of cgroups. */
  readonly cgroupNamespace?: 'host' | 'private';
  /** GraphDriver.Data. */
  readonly storage?: Readonly<Record<string, string>>;
}
