import { inject, injectable } from '@gantry/core/driver';
import type { ImportRecord, LfsChoice } from '../store/records.js';
import { RequestRewrite } from './request-rewrite.js';

@injectable()
export class ChooseLfs {
  constructor(@inject(RequestRewrite) private readonly rewrites: RequestRewrite) {}

  /** Decides what happens to large files, including those not found yet. */
  choose({ id }: ImportRecord, useLfs: LfsChoice): Promise<ImportRecord | undefined> {
    return this.rewrites.request(id, (record) => (record.useLfs === useLfs ? undefined : { ...record, useLfs }));
  }
}
