export interface ImageSummary {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  readonly Created: number;
  readonly Size: number;
  /** -1 when it was not asked for. */
  readonly SharedSize: number;
  readonly Labels: Readonly<Record<string, string>> | null;
}

export interface ImageDetails {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  readonly Created?: string;
  readonly Size: number;
  readonly Architecture: string;
  readonly Os: string;
  readonly Author?: string;
  readonly Comment?: string;
  readonly RootFS?: { readonly Layers?: readonly string[] | null };
  readonly Config: {
    readonly User?: string;
    readonly Env?: readonly string[] | null;
    readonly Cmd?: readonly string[] | null;
    readonly Entrypoint?: readonly string[] | null;
    readonly WorkingDir?: string;
    readonly ExposedPorts?: Readonly<Record<string, unknown>> | null;
    readonly Volumes?: Readonly<Record<string, unknown>> | null;
    readonly Labels?: Readonly<Record<string, string>> | null;
  } | null;
}

export const tagsOf = ({ RepoTags }: Pick<ImageSummary, 'RepoTags'>): readonly string[] =>
  (RepoTags ?? []).filter((tag) => tag !== '<none>:<none>');

/** Path of an image in the API, by identifier or by a name with slashes. */
export const imagePath = (name: string): string => `/images/${name.split('/').map(encodeURIComponent).join('/')}`;
