import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Store, useStore } from '../store/store';

interface OpenDialog {
  readonly id: number;
  readonly view: ComponentChildren;
}

const open = new Store<readonly OpenDialog[]>([]);
let last = 0;

/** Shows a view above the page until it calls `close`. */
export function openDialog(view: (close: () => void) => ComponentChildren): void {
  const id = ++last;
  const close = (): void => open.set(open.get().filter((dialog) => dialog.id !== id));
  open.set([...open.get(), { id, view: view(close) }]);
}

export function DialogHost() {
  return (
    <>
      {useStore(open).map(({ id, view }) => (
        <div key={id}>{view}</div>
      ))}
    </>
  );
}

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean | undefined;
}

/** The browser's own modal dialog, which keeps the focus inside and returns it afterwards. */
export function Dialog({ title, close, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={wide ? 'wide' : ''} aria-labelledby={heading} onClose={close}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="button quiet" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
