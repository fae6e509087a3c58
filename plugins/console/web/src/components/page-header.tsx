import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Text } from './text';

interface PageHeaderProps {
  readonly title: string;
  readonly back?: { readonly href: string; readonly name: string } | undefined;
  readonly detail?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PageHeader({ title, back, detail, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 80)} – Gantry`;
  }, [title]);
  return (
    <header class="page-header">
      <div>
        {back !== undefined && <a href={back.href}>‹ {back.name}</a>}
        <h1>
          <Text value={title} limit={120} />
        </h1>
        {detail}
      </div>
      <div class="actions">{children}</div>
    </header>
  );
}
