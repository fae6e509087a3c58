import type { ContainerSummary } from '../api/container-types';

/** What the list of containers shows, and finds containers by. */
export type ListedContainer = Pick<
  ContainerSummary,
  'Id' | 'Names' | 'Image' | 'State' | 'Status' | 'Created' | 'Ports' | 'Labels'
>;

/** What the console has sent with the document, so that the page need not ask for it. */
export interface FirstScreenData {
  readonly user: string;
  /** Seconds since 1970 by the engine's clock, before the containers were read. */
  readonly since: number;
  /** Missing when the engine was slow to list them or refused to. */
  readonly containers?: readonly ListedContainer[];
}

/** How many rows are in the document before the page knows how many are in sight: as many as large screens have. */
export const firstRows = 30;

let current: FirstScreenData | undefined;

/** What the first screen shows, while it is the first one. */
export const firstScreenData = {
  get: (): FirstScreenData | undefined => current,
  set: (data: FirstScreenData | undefined): void => {
    current = data;
  },
};
