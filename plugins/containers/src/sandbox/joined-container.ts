/** The other container of a mode such as `container:<name|id>`. */
export const joinedContainer = (mode: string | undefined): string | undefined =>
  mode?.startsWith('container:') ? mode.slice('container:'.length) : undefined;
