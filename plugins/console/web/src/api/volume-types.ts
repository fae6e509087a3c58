export interface Volume {
  readonly Name: string;
  readonly Driver: string;
  readonly Mountpoint: string;
  readonly CreatedAt?: string;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Scope: string;
  readonly UsageData?: { readonly Size: number; readonly RefCount: number } | null;
}
