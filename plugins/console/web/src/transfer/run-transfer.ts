import { readJsonLines } from '../api/read-json-lines';
import type { RequestOptions } from '../api/request';
import { advance, noProgress, type ProgressMessage, type TransferProgress } from './transfer-progress';

/** Runs a request that answers with its progress, and rejects with the error that ends it. */
export async function runTransfer(
  path: string,
  options: RequestOptions,
  show: (progress: TransferProgress) => void,
): Promise<void> {
  let progress = noProgress;
  let frame = 0;
  const drawn = (): void => {
    frame = 0;
    show(progress);
  };
  try {
    await readJsonLines<ProgressMessage>(path, { method: 'POST', ...options }, (message) => {
      progress = advance(progress, message);
      frame ||= requestAnimationFrame(drawn);
    });
  } finally {
    cancelAnimationFrame(frame);
    show(progress);
  }
}
