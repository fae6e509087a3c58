import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onPress: () => unknown;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  readonly disabled?: boolean | undefined;
  readonly label?: string | undefined;
  readonly pressed?: boolean | undefined;
}

/**
 * A button that is busy until what it started has ended. It is not disabled meanwhile: that would take the focus from it, to
 * which the dialog that it opened returns.
 */
export function Button({ children, onPress, kind = 'plain', disabled = false, label, pressed }: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await onPress();
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      class={`button ${kind}`}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={() => void press()}
    >
      {children}
    </button>
  );
}
