import type { LogContainer } from '@gantry/core/contracts';

/** A container that only has a directory and options. */
export const plainContainer = (directory: string, options: LogContainer['options'] = {}): LogContainer => ({
  id: 'c',
  name: 'c',
  imageId: '',
  imageName: '',
  command: [],
  createdAt: new Date(0),
  labels: {},
  env: [],
  options,
  directory,
});
