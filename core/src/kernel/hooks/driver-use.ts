/** A driver that something which runs needs. */
export interface DriverUse {
  /** Kind and id, such as `volume/nfs`. */
  readonly driver: string;
  /** What needs it, for people: `volume data of container 4f1c…`. */
  readonly user: string;
}
