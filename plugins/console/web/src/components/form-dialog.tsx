import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../api/api-error';
import { Dialog } from './dialog';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly close: () => void;
  /** Rejects with what is shown above the buttons; the dialog closes when it resolves. */
  readonly submit: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly wide?: boolean | undefined;
}

/** A form in a dialog, which stays open with the engine's message when it is refused. */
export function FormDialog({ title, action, close, submit, children, wide }: FormDialogProps) {
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false });
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState({ busy: true });
    try {
      await submit();
      close();
    } catch (error) {
      setState({ busy: false, problem: `${title} failed: ${messageOf(error)}` });
    }
  };
  return (
    <Dialog title={title} close={close} wide={wide}>
      <form onSubmit={(event) => void run(event)}>
        <div class="form">{children}</div>
        <p class="problem" role="alert">
          <bdi>{state.problem ?? ''}</bdi>
        </p>
        <footer>
          <button type="button" class="button plain" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={state.busy} aria-busy={state.busy}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
