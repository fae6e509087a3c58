import { notImplemented } from '@gantry/core/errors';
import type { ConversionJob } from '../job.js';
export async function convertMercurial(_job: ConversionJob): Promise<void> {
  throw notImplemented('not yet');
}
