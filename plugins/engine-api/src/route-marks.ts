import { routeMark } from '@gantry/core/http';

/** Marks a route that does much of its work without the disk: it is served while the disk hangs. */
export const worksWithoutDisk = routeMark('works-without-disk');
