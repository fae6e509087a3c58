/** What a node proves who it is with, and whom it trusts. PEM all of them. */
export interface NodeIdentity {
  /** Followed by those that lead to a trusted root, where there are such. */
  readonly certificate: string;
  readonly key: string;
  /** Root certificates of the swarm: more than one while they are rotated. */
  readonly trust: string;
}
