import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isAbort, messageOf } from '../api/api-error';
import { Dialog } from '../components/dialog';
import { noProgress, type TransferProgress } from './transfer-progress';
import { TransferView } from './transfer-view';

interface TransferDialogProps {
  readonly title: string;
  readonly action: string;
  readonly close: () => void;
  readonly run: (show: (progress: TransferProgress) => void, signal: AbortSignal) => Promise<void>;
  readonly children: ComponentChildren;
}

type State = { readonly step: 'asking' | 'running' | 'done' } | { readonly step: 'failed'; readonly message: string };

/** Asks for what to transfer, and shows it while it runs; closing the dialog cancels it. */
export function TransferDialog({ title, action, close, run, children }: TransferDialogProps) {
  const [state, setState] = useState<State>({ step: 'asking' });
  const [progress, setProgress] = useState<TransferProgress>(noProgress);
  const abort = useMemo(() => new AbortController(), []);
  useEffect(() => () => abort.abort(), [abort]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState({ step: 'running' });
    setProgress(noProgress);
    try {
      await run(setProgress, abort.signal);
      setState({ step: 'done' });
    } catch (error) {
      if (!isAbort(error)) setState({ step: 'failed', message: `${title} failed: ${messageOf(error)}` });
    }
  };
  return (
    <Dialog title={title} close={close} wide>
      <form onSubmit={(event) => void submit(event)}>
        {(state.step === 'asking' || state.step === 'failed') && <div class="form">{children}</div>}
        <TransferView progress={progress} />
        <p role="status">
          {state.step === 'running' && (
            <>
              <span class="spinner" aria-hidden="true" /> Running…
            </>
          )}
          {state.step === 'done' && 'Done.'}
        </p>
        <p class="problem" role="alert">
          <bdi>{state.step === 'failed' ? state.message : ''}</bdi>
        </p>
        <footer>
          <button type="button" class="button plain" onClick={close}>
            {state.step === 'running' ? 'Cancel' : 'Close'}
          </button>
          {(state.step === 'asking' || state.step === 'failed') && (
            <button type="submit" class="button primary">
              {action}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
