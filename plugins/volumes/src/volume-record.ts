/** What is kept of a volume, under its name. What drivers made by themselves has no record until it is asked for. */
export interface VolumeRecord {
  readonly name: string;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Created without a name. */
  readonly anonymous?: true;
  /** RFC 3339. */
  readonly createdAt: string;
}
