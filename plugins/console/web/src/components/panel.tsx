import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export function Panel({ title, children, actions }: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      <div class="panel-body">{children}</div>
    </section>
  );
}
