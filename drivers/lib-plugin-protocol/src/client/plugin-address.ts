/** Where a plugin listens. */
export type PluginAddress =
  | { readonly socketPath: string }
  | {
      readonly host: string;
      readonly port: number;
      /** PEM texts; undefined speaks plain HTTP. */
      readonly tls?: {
        readonly ca?: string;
        readonly cert?: string;
        readonly key?: string;
        readonly insecureSkipVerify: boolean;
      };
    };
