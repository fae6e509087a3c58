import type { GenericResource } from '@gantry/cluster/service';

/** A node, as far as placement is concerned. */
export interface SchedulableNode {
  readonly ID: string;
  readonly Spec: {
    readonly Role: string;
    readonly Availability: string;
    readonly Labels?: Readonly<Record<string, string>> | undefined;
  };
  readonly Description?:
    | {
        readonly Hostname?: string | undefined;
        readonly Platform?:
          | { readonly Architecture?: string | undefined; readonly OS?: string | undefined }
          | undefined;
        readonly Resources?:
          | {
              readonly NanoCPUs?: number | undefined;
              readonly MemoryBytes?: number | undefined;
              readonly GenericResources?: readonly GenericResource[] | undefined;
            }
          | undefined;
        readonly Engine?:
          | {
              readonly Labels?: Readonly<Record<string, string>> | undefined;
              readonly Plugins?: readonly { readonly Type: string; readonly Name: string }[] | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly Status: { readonly State: string; readonly Addr?: string | undefined };
}

const isReady = (node: SchedulableNode): boolean => node.Status.State === 'ready';

/** New tasks may be placed on it. */
export const acceptsTasks = (node: SchedulableNode): boolean => isReady(node) && node.Spec.Availability === 'active';

/** Tasks on it must not go on: it is drained, or its agent cannot be reached. */
export const hasToBeLeft = (node: SchedulableNode | undefined): boolean =>
  node === undefined || node.Status.State === 'down' || node.Spec.Availability === 'drain';
