/** Links to the parts of a page; the address says which one is shown. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { name: string; href: string }[];
  current: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ name, href }) => (
          <li key={href}>
            <a href={href} aria-current={name === current ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
