/** A line of the progress of a pull, push, load or build. */
export interface ProgressMessage {
  readonly id?: string;
  readonly status?: string;
  readonly stream?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number } | null;
  readonly error?: string;
  readonly errorDetail?: { readonly message?: string };
}

export interface LayerProgress {
  readonly id: string;
  readonly status: string;
  readonly current: number | undefined;
  readonly total: number | undefined;
}

export interface TransferProgress {
  readonly layers: readonly LayerProgress[];
  readonly text: string;
}

export const noProgress: TransferProgress = { layers: [], text: '' };

const keptText = 200_000;

/** Adds a message; one with an error is thrown, since the response began as a success. */
export function advance(progress: TransferProgress, message: ProgressMessage): TransferProgress {
  const error = message.errorDetail?.message ?? message.error;
  if (error !== undefined) throw new Error(error);
  if (message.stream !== undefined) return { ...progress, text: (progress.text + message.stream).slice(-keptText) };
  const { id, status = '' } = message;
  if (id === undefined || message.progressDetail === undefined) {
    return status === ''
      ? progress
      : { ...progress, text: `${progress.text}${id === undefined ? '' : `${id}: `}${status}\n` };
  }
  const layer = { id, status, current: message.progressDetail?.current, total: message.progressDetail?.total };
  const known = progress.layers.some((old) => old.id === id);
  const layers = known ? progress.layers.map((old) => (old.id === id ? layer : old)) : [...progress.layers, layer];
  return { ...progress, layers };
}
