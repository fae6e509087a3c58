import type { LogContainer } from '@gantry/core/contracts';
import { anybody } from '../options/tag.js';

/** A container that only has a directory and options. */
export const plainContainer = (directory: string, options: LogContainer['options'] = {}): LogContainer => ({
  ...anybody,
  id: 'c',
  name: 'c',
  options,
  directory,
});
