import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ScrollBoxProps {
  readonly label: string;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

/** A region that scrolls when its content is too large, also by the keyboard. */
export function ScrollBox({ label, class: name = 'scroll', children }: ScrollBoxProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.tabIndex = 0;
  }, []);
  return (
    <section class={name} aria-label={label} ref={box}>
      {children}
    </section>
  );
}
