export interface BuildResult {
  readonly imageId: string;
  /** The last image of each stage that ran, itself among them. */
  readonly stageImages: readonly string[];
}
