import { type Credentials, registryHeaders } from './registry-auth';
import { runTransfer } from './run-transfer';
import type { TransferProgress } from './transfer-progress';

/** A reference with its tag; without one the engine would pull every tag. */
export const withTag = (reference: string): string =>
  reference.includes('@') || /:[^/]+$/.test(reference) ? reference : `${reference}:latest`;

export function pullImage(
  reference: string,
  platform: string,
  credentials: Credentials,
  show: (progress: TransferProgress) => void,
  signal?: AbortSignal,
): Promise<void> {
  const query = { fromImage: withTag(reference), platform: platform === '' ? undefined : platform };
  return runTransfer('/images/create', { query, headers: registryHeaders(credentials), signal }, show);
}
