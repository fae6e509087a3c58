import type { LogContainer } from '@gantry/core/contracts';
import { placeholderContainer } from '../options/tag.js';

/** A container that only has a directory and options. */
export const plainContainer = (directory: string, options: LogContainer['options'] = {}): LogContainer => ({
  ...placeholderContainer,
  id: 'c',
  name: 'c',
  options,
  directory,
});
