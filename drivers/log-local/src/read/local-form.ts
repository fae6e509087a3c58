import type { LogPage } from '@gantry/core/contracts';
import type { LineForm, LineReader, RecordFilter } from '@gantry/lib-log/files';
import { LocalLine } from './local-line.js';
import { LocalPage } from './local-page.js';

/** Lines of this driver. */
export class LocalForm implements LineForm {
  lineReader(): LineReader {
    return new LocalLine();
  }

  page(block: Buffer, filter: RecordFilter, out?: Buffer): LogPage {
    return new LocalPage(block, filter, out);
  }
}
