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

/** The result of a probe. */
export interface KernelFeature {
  readonly name: KernelFeatureName;
  readonly available: boolean;
  /** One sentence: what is missing and how to fix it. Undefined when the feature works. */
  readonly advice: string | undefined;
  /** Containers cannot run without it. */
  readonly required: boolean;
}
