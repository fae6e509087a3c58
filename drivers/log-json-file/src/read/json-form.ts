import type { LogPage } from '@gantry/core/contracts';
import type { LineForm, LineReader, RecordFilter } from '@gantry/lib-log/files';
import { JsonPage } from './json-page.js';
import { LineDecoder } from './line-decoder.js';

/** JSON lines. */
export class JsonForm implements LineForm {
  /** @param attributes JSON of the attributes that most lines have. */
  constructor(private readonly attributes: string | undefined) {}

  lineReader(): LineReader {
    return new LineDecoder(this.attributes);
  }

  page(block: Buffer, filter: RecordFilter, out?: Buffer): LogPage {
    return new JsonPage(block, { filter, attributes: this.attributes }, out);
  }
}
