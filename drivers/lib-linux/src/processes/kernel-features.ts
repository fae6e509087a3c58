export type KernelFeatureName =
  | 'kernel'
  | 'overlayfs'
  | 'namespaces'
  | 'cgroup-controllers'
  | 'network-namespaces'
  | 'bridge'
  | 'veth'
  | 'nftables'
  | 'seccomp'
  | 'capabilities';

/** What was found by trying. */
export interface KernelFeature {
  readonly name: KernelFeatureName;
  readonly available: boolean;
  /** One sentence: what is missing and what to do about it. Undefined when all is well. */
  readonly advice: string | undefined;
  /** Containers cannot run without it. */
  readonly required: boolean;
}
