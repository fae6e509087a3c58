export interface Plugin {
  readonly Id?: string;
  readonly Name: string;
  readonly Enabled: boolean;
  readonly PluginReference?: string;
  readonly Config: {
    readonly Description: string;
    readonly Documentation: string;
    readonly Interface: { readonly Types: readonly string[] | null };
    readonly Env: readonly PluginVariable[] | null;
  };
  readonly Settings: { readonly Env: readonly string[] | null };
}

export interface PluginVariable {
  readonly Name: string;
  readonly Description: string;
  readonly Settable: readonly string[] | null;
  readonly Value: string | null;
}

/** A right on the host that a plugin asks for. */
export interface PluginPrivilege {
  readonly Name: string;
  readonly Description: string;
  readonly Value: readonly string[];
}
