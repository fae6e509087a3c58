/** The identity of this engine and where it keeps its data. */
export interface EngineIdentity {
  readonly id: string;
  readonly dataRoot: string;
}

/** Injects the identity, which is read once before the plugin starts. */
export const EngineIdentity = Symbol('engine-identity');
